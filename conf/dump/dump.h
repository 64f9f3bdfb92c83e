/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dump is the model as text. If the parser reads the text, it gets the same
 * model. The text has one canonical form, and it shows every choice that the
 * parser made (addr(T) for a pointer that is not followed, ref(T) for a pointer
 * that is followed). --show-prototype prints it.
 *
 * library gives the names of types and constants. If it does not know a type by
 * the type's name, the type is written out. library may be NULL.
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
/* Writes "int f(string path, int flags);", without a newline. */
void dump_proto(const struct library *library, const struct proto *proto,
		struct str *to);
/* Writes all types and then all prototypes, one per line. */
void dump_library(const struct library *library, struct str *to);

#endif
