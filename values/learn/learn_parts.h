/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of a learner. Functions that return int return 0, -ENOTSUP if the
 * model has nothing for what they met, or -EBADMSG if the debug information is
 * damaged; then learner->damage is set.
 *
 * Debug information is not trusted. Children of an entry are at rising
 * addresses, so a loop over them ends. Types are nested at most TYPE_DEPTH
 * deep, and a learner makes at most LEARN_STRUCTS_MOST structs.
 */
#ifndef VALUES_LEARN_LEARN_PARTS_H
#define VALUES_LEARN_LEARN_PARTS_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "values/learn/learn.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#define LEARN_STRUCTS_MOST 4096u

/* A struct that is known by name only, until something shows its fields. */
struct learn_unfilled {
	struct type *type;
	Dwarf_Die die;
};

struct learner {
	struct image *image;
	unsigned word; /* the size of an address in its programs, in bytes */
	struct learn_look look;
	int fd; /* of the separate debug file, or -1 */
	Elf *elf;
	Dwarf *dwarf; /* NULL: not opened, or none */
	bool opened;
	bool given;   /* learner_open_file() was called */
	char *damage; /* a sentence, or NULL */
	bool complained;
	struct arena arena;
	struct map units;     /* the units whose functions are in functions */
	struct map functions; /* first instruction -> Dwarf_Die */
	struct map protos;    /* first instruction -> struct proto, or none */
	struct map types;     /* Dwarf_Die.addr and "nested" -> struct type */
	size_t structs;
	vec_of(struct learn_unfilled) unfilled;
	/* The language of the function that is being learned. */
	int language;
};

/* Where a type is used. */
enum learn_use {
	LEARN_VALUE,  /* a parameter or a result, or what it points to */
	LEARN_NESTED, /* in a struct, an array or behind a second pointer */
};

/* learn_file.c: opens the debug information. */
void learn_open(struct learner *learner);
void learn_open_file(struct learner *learner, const char *path);
void learn_close(struct learner *learner);
/* Like learn_close(), but after a failed attempt, when libdw's objects must not
 * be freed. */
void learn_abandon(struct learner *learner);
bool learn_mentions(const struct learner *learner, const char *name);

/* defined in learn_walk.c: */
/* Notes libdw's last error; returns -EBADMSG. */
must_check int learn_damaged(struct learner *learner);
/* The first child of an entry, and the next one: 0, 1 after the last, or
 * -EBADMSG. */
must_check int learn_child(struct learner *learner, Dwarf_Die *die,
			   Dwarf_Die *ret_child);
must_check int learn_next(struct learner *learner, Dwarf_Die *child);
/* Reads an attribute of the entry, or of the entry that it completes. Returns 1
 * if there is such an attribute, 0 if not, -ENOTSUP if it is no number, or
 * -EBADMSG. */
must_check int learn_number(struct learner *learner, Dwarf_Die *die,
			    unsigned name, uint64_t *ret_number);
bool learn_flag(Dwarf_Die *die, unsigned name);
/* The entry to which an attribute refers: 1, 0 or -EBADMSG. */
must_check int learn_reference(struct learner *learner, Dwarf_Die *die,
			       unsigned name, Dwarf_Die *ret_die);
/* What DW_AT_signature of the entry refers to, or the entry itself. */
must_check int learn_definition(struct learner *learner, Dwarf_Die *die,
				Dwarf_Die *ret_die);
/* DW_AT_name, in the learner's arena; or NULL. */
const char *learn_name(struct learner *learner, Dwarf_Die *die);

/* learn_find.c: the entry of the function at this address, and the language of
 * its unit. NULL if there is none. */
Dwarf_Die *learn_find(struct learner *learner, addr_t address);

/* learn_base.c: the type of a DW_TAG_base_type, and an integer type by the
 * number of its DW_ATE_ encoding. The name of an integer may be NULL. */
must_check int learn_base(struct learner *learner, Dwarf_Die *die,
			  const struct type **ret_type);
must_check int learn_integer(struct learner *learner, const char *name,
			     unsigned encoding, size_t bytes,
			     const struct type **ret_type);

/* learn_type.c: the type of an entry that has DW_AT_type, or void. */
must_check int learn_type_of(struct learner *learner, Dwarf_Die *die,
			     enum learn_use use, unsigned depth,
			     const struct type **ret_type);

/* defined in learn_struct.c: */
/* A struct, union or class, with its fields. */
must_check int learn_struct(struct learner *learner, Dwarf_Die *die,
			    unsigned depth, const struct type **ret_type);
/* Like learn_struct(), but without the fields, which learn_fill() adds. */
must_check int learn_struct_later(struct learner *learner, Dwarf_Die *die,
				  const struct type **ret_type);
must_check int learn_fill(struct learner *learner);

/* A parameter, and the address of its entry (Dwarf_Die.addr) or NULL. */
struct learn_param {
	struct param param;
	const void *die;
};

/* learn_place.c: where the function of this entry has its parameters. Sets
 * *ret_placed if one of them is in registers. 0 or -errno. */
must_check int learn_places(struct learner *learner, Dwarf_Die *die,
			    struct learn_param *params, size_t count,
			    bool *ret_placed);

/* learn_class.c: is an object of the entry's type passed and returned at an
 * address? Returns 1, 0 or -errno. */
must_check int learn_by_address(struct learner *learner, Dwarf_Die *die);

/* learn_function.c: the prototype of a DW_TAG_subprogram or
 * DW_TAG_subroutine_type. */
must_check int learn_function(struct learner *learner, Dwarf_Die *die,
			      unsigned depth, const struct proto **ret_proto);
/* True for a parameter that is not in the source: `this`, the place of a
 * result. */
bool learn_is_implicit(const struct param *param);

#endif
