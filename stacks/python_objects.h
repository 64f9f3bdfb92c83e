/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Python's objects: the local variables of a frame, the type of an object, its
 * slots. An address that is not that of an object has a type without a known
 * name.
 */
#ifndef STACKS_PYTHON_OBJECTS_H
#define STACKS_PYTHON_OBJECTS_H

#include "stacks/peek.h"
#include "stacks/python_layout.h"
#include "stacks/statement.h"

#include <stdbool.h>
#include <stddef.h>

struct python_memory {
	struct peek *peek;
	const struct python_layout *layout;
	addr_t code_type; /* PyCode_Type */
};

/* How many local variables of the frame can be looked at. */
size_t python_local_count(struct python_memory *memory, addr_t frame);
/* The object in local variable i, or 0. */
addr_t python_local(struct python_memory *memory, addr_t frame, size_t i);
/* The object in the local variable of that name, or 0. */
addr_t python_local_named(struct python_memory *memory, addr_t frame,
			  const char *name);

/* A hash of the addresses of the objects that are the function's arguments. */
uint64_t python_arguments(struct python_memory *memory, addr_t frame);

/* Is this the name of the object's type, or the part of it behind its last
 * dot? */
bool python_is(struct python_memory *memory, addr_t object, const char *type);
/* The size of objects of the object's type (tp_basicsize). */
uint64_t python_size(struct python_memory *memory, addr_t object);
/* The object in a member that __slots__ has named, or 0. */
addr_t python_member(struct python_memory *memory, addr_t object,
		     const char *name);

/* The first `most` characters of a str or bytes object. Returns false if it is
 * neither. */
bool python_characters(struct python_memory *memory, addr_t object, size_t most,
		       struct arena *arena, struct statement_text *ret_text);
/* Are the str or bytes object's characters these? */
bool python_equals(struct python_memory *memory, addr_t object,
		   const char *text);

#endif
