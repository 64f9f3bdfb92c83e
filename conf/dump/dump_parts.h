/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the dump share; no other file includes this. */
#ifndef CONF_DUMP_DUMP_PARTS_H
#define CONF_DUMP_DUMP_PARTS_H

#include "base/str.h"
#include "conf/model/type.h"

struct lens;
struct library;
struct proto;

/* Writes what the type is made of, without its lens and its name. */
void dump_bare(const struct library *library, const struct type *type,
	       struct str *to);
/* Writes the type out instead of its name. */
void dump_out(const struct library *library, const struct type *type,
	      struct str *to);
void dump_anonymous(const struct library *library, const struct type *type,
		    struct str *to);
void dump_field(const struct library *library, const struct type_field *field,
		struct str *to);
/* Writes "int name(string, int)". */
void dump_function(const struct library *library, const struct proto *proto,
		   const char *name, struct str *to);
/* Writes the names of an enum: "A=1, B=2". */
void dump_constants(const struct lens *lens, struct str *to);

#endif
