/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a library is made of. The parser fills it, the dump reads it; all
 * others include library.h.
 */
#ifndef CONF_MODEL_LIBRARY_PARTS_H
#define CONF_MODEL_LIBRARY_PARTS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "conf/model/expr.h"
#include "conf/model/library.h"

#include <stdbool.h>
#include <stdint.h>

struct probe;

/* A name for a type, as a library keeps it. */
struct named_type {
	const char *name;
	const struct type *type;
	bool is_c;     /* of a C declaration: using it makes a use C */
	bool has_lens; /* "typedef x = hex(int)": a use is annotated */
	bool defines;  /* a struct or union that bears this name first */
};

struct named_constant {
	const char *name;
	int64_t value;
	bool ambiguous; /* somebody else gave it another value */
	bool used;	/* in an expression, or #defined to be */
};

struct library {
	const char *file;
	struct arena arena;
	struct strmap protos; /* struct proto */
	struct strmap types;  /* struct named_type */
	struct strmap constants;
	vec_of(struct proto *) proto_list;
	vec_of(struct named_type *) type_list;
	vec_of(struct named_constant *) constant_list;
	vec_of(const struct library *) imports;
	const char *about; /* of a set; NULL: it is none */
	bool wire;	   /* of a set: it watches connections, too */
	vec_of(struct probe *) probes;
	struct patterns patterns; /* of the probes' expressions */
};

void library_add_proto(struct library *library, const struct proto *proto);
void library_add_type(struct library *library, const struct named_type *type);
struct named_constant *library_add_constant(struct library *library,
					    const char *name, int64_t value);
/* What was declared is now defined: it comes behind those before it. */
void library_defined_type(struct library *library, const char *name);
const struct named_type *library_named_type(const struct library *library,
					    const char *name);

#endif
