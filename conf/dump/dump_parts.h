/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the dump share; nobody else includes this. */
#ifndef CONF_DUMP_DUMP_PARTS_H
#define CONF_DUMP_DUMP_PARTS_H

#include "base/str.h"
#include "conf/model/type.h"

struct lens;
struct library;
struct proto;

/* By what it is made of, its lens and its name aside. */
void dump_bare(const struct library *library, const struct type *type,
	       struct str *to);
/* Written out, its name aside. */
void dump_out(const struct library *library, const struct type *type,
	      struct str *to);
void dump_anonymous(const struct library *library, const struct type *type,
		    struct str *to);
void dump_field(const struct library *library, const struct type_field *field,
		struct str *to);
/* "int name(string, int)" */
void dump_function(const struct library *library, const struct proto *proto,
		   const char *name, struct str *to);
/* "A=1, B=2" */
void dump_constants(const struct lens *lens, struct str *to);

#endif
