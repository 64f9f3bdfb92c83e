/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The members of a library. The parser fills them, and the dump and tests read
 * them; all other files include library.h.
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

/* A name for a type. */
struct named_type {
	const char *name;
	const struct type *type;
	bool is_c; /* from a C declaration: an item that uses it is C */
	/* "typedef x = hex(int)": an item that uses it has a lens */
	bool has_lens;
	bool defines; /* this is the first name of a struct or union */
};

struct named_constant {
	const char *name;
	int64_t value;
	bool ambiguous; /* defined twice with different values */
	bool used;	/* the constant is in an expression or a #define */
};

/* The items of a file that are not parsed yet (conf/parse/deferred.c). */
struct library_deferred {
	/* Parses all items that may define name. */
	void (*parse)(struct library_deferred *deferred, const char *name);
	/* Parses all items that may define prototypes. */
	void (*parse_protos)(struct library_deferred *deferred);
	/* May an item, parsed or not, define a prototype of this name? */
	bool (*defines)(struct library_deferred *deferred, const char *name);
	/* Parses the next import. False if there is none left. */
	bool (*parse_import)(struct library_deferred *deferred);
	void (*free)(struct library_deferred *deferred);
	bool in_imports; /* a name is looked up in the imports */
};

struct library {
	const char *file;
	unsigned word; /* size of an address in the programs of its functions */
	struct library_deferred *deferred; /* NULL: all is parsed */
	struct arena arena;
	struct strmap protos; /* struct proto */
	struct strmap types;  /* struct named_type */
	struct strmap constants;
	vec_of(struct proto *) proto_list;
	vec_of(struct named_type *) type_list;
	vec_of(struct named_constant *) constant_list;
	vec_of(const struct library *) imports;
	const char *about; /* the description of a set; NULL: this is no set */
	unsigned wire;	   /* a set that also watches connections */
	bool connects;	   /* a set of functions that connect to databases */
	vec_of(struct probe *) probes;
	struct patterns patterns; /* of the probes' expressions */
};

void library_add_proto(struct library *library, const struct proto *proto);
void library_add_type(struct library *library, const struct named_type *type);
struct named_constant *library_add_constant(struct library *library,
					    const char *name, int64_t value);
/* Moves a type that was declared earlier to the end of the list of types,
 * because it was defined now. */
void library_defined_type(struct library *library, const char *name);
const struct named_type *library_named_type(const struct library *library,
					    const char *name);

#endif
