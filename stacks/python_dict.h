/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Containers of Python 3.11: what a dict has for a name, an attribute of an
 * object that keeps its attributes in a dict, the members of a set. Memory that
 * fails a check is treated as if nothing were found.
 */
#ifndef STACKS_PYTHON_DICT_H
#define STACKS_PYTHON_DICT_H

#include "stacks/python_objects.h"

#define PYTHON_DICT_VERSION 0x030bu

/* The value of the dict's key, which is a str; 0 if there is none. */
addr_t python_dict_value(struct python_memory *memory, addr_t dict,
			 const char *key);
/* The key of the dict, or OrderedDict, whose value is a str or bytes object
 * with these characters; 0 if there is none. */
addr_t python_dict_key(struct python_memory *memory, addr_t dict,
		       const char *value);
/* The object's attribute, or 0. */
addr_t python_attribute(struct python_memory *memory, addr_t object,
			const char *name);

/* How many places the set's table has; 0 if it is no set or too large. */
size_t python_set_places(struct python_memory *memory, addr_t set);
/* The object in place i of the set's table, or 0. */
addr_t python_set_member(struct python_memory *memory, addr_t set, size_t i);

/* The value of an int object, or -1 if it is not from 0 to most. */
int python_small_int(struct python_memory *memory, addr_t object, int most);

#endif
