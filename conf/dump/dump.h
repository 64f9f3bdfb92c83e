/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump is the model back as text that the parser reads as the same model:
 * in one canonical way of writing, with every choice that the parser made
 * spelled out (addr(T) for a pointer that is not followed, ref(T) for one
 * that is). It is what --show-prototype shows.
 *
 * library is where names of types and constants are looked up; a type that it
 * does not know by the name that the type bears is written out. It may be
 * NULL.
 */
#ifndef CONF_DUMP_DUMP_H
#define CONF_DUMP_DUMP_H

#include "base/str.h"

struct expr;
struct library;
struct proto;
struct type;

void dump_expr(const struct library *library, const struct expr *expr,
	       struct str *to);
void dump_type(const struct library *library, const struct type *type,
	       struct str *to);
/* "int f(string path, int flags);", no newline. */
void dump_proto(const struct library *library, const struct proto *proto,
		struct str *to);
/* All types, then all prototypes, a line each. */
void dump_library(const struct library *library, struct str *to);

#endif
