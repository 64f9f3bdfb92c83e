/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A class (internal/class.h) is
 *
 *	 0	flags, with the type
 *	16	the class above it
 *	24	its extension, which has a table of variables at 8
 *
 * and a table (st.c) has entries { hash, key, value } from offset 48 on, from
 * the number at 32 up to that at 40. The name is the value of a hidden
 * variable. Its key has no symbol, but it is the one under which Object's own
 * table has the string "Object".
 */
#include "heaps/ruby_class.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define TYPE_MASK 0x1f
#define TYPE_CLASS 0x02
#define TYPE_STRING 0x05
#define TYPE_INCLUDED 0x1c
#define FLAG_SINGLETON (UINT64_C(1) << 12)
#define STRING_NOT_EMBEDDED (UINT64_C(1) << 13)

#define CLASS_SUPER 16
#define CLASS_EXTENSION 24
#define EXTENSION_VARIABLES 8
#define TABLE_START 32
#define TABLE_BOUND 40
#define TABLE_ENTRIES 48
#define ENTRY_SIZE 24
#define ENTRY_KEY 8
#define ENTRY_VALUE 16
#define ENTRIES_MOST 65536u

#define STRING_LENGTH 16
#define STRING_POINTER 24
/* The length of an embedded string is in its flags, in these bits. */
#define EMBEDDED_SHIFT 14
#define EMBEDDED_MASK 0x1f
#define EMBEDDED_BYTES 16

#define SUPERS_MOST 1000

static uint64_t
word(struct reader *memory, addr_t at)
{
	uint64_t value;

	return reader_u64(memory, at, &value) == 0 ? value : 0;
}

/* Reads a string of Ruby. False if the object is no string, or is empty. */
static bool
read_string(struct reader *memory, addr_t at, char *to, size_t room)
{
	uint64_t flags = word(memory, at), length;
	addr_t from;

	if ((flags & TYPE_MASK) != TYPE_STRING)
		return false;
	if (flags & STRING_NOT_EMBEDDED) {
		length = word(memory, at + STRING_LENGTH);
		from = word(memory, at + STRING_POINTER);
	} else {
		length = flags >> EMBEDDED_SHIFT & EMBEDDED_MASK;
		from = at + EMBEDDED_BYTES;
	}
	if (length >= room)
		length = room - 1;
	if (length == 0 || reader_read(memory, from, to, length) < 0)
		return false;
	to[length] = '\0';
	return true;
}

/* The address of the next entry in the class's table that may have its name,
 * from number *at on; 0 if there is none. */
static addr_t
next_entry(const struct ruby_classes *classes, addr_t class, uint64_t *at)
{
	struct reader *memory = classes->memory;
	addr_t table = word(memory, word(memory, class + CLASS_EXTENSION) +
					    EXTENSION_VARIABLES);
	uint64_t bound, entry;

	if (table == 0)
		return 0;
	bound = word(memory, table + TABLE_BOUND);
	entry = word(memory, table + TABLE_ENTRIES);
	if (*at < word(memory, table + TABLE_START))
		*at = word(memory, table + TABLE_START);
	while (*at < bound && *at < ENTRIES_MOST) {
		addr_t one = entry + (*at)++ * ENTRY_SIZE;

		if (classes->name_key == 0 ||
		    classes->name_key == word(memory, one + ENTRY_KEY))
			return one;
	}
	return 0;
}

/* Finds the next string in the class's table, from *at on. Sets its key and
 * copies it. */
static bool
next_name(struct ruby_classes *classes, addr_t class, uint64_t *at,
	  uint64_t *ret_key, char *to, size_t room)
{
	struct reader *memory = classes->memory;
	addr_t one;

	while ((one = next_entry(classes, class, at))) {
		*ret_key = word(memory, one + ENTRY_KEY);
		if (read_string(memory, word(memory, one + ENTRY_VALUE), to,
				room))
			return true;
	}
	return false;
}

int
ruby_classes_init(struct ruby_classes *classes, struct reader *memory,
		  addr_t object_class)
{
	char name[RUBY_CLASS_NAME_MOST];
	uint64_t at = 0, key;

	*classes = (struct ruby_classes){ .memory = memory };
	while (next_name(classes, object_class, &at, &key, name, sizeof(name)))
		if (strcmp(name, "Object") == 0) {
			classes->name_key = key;
			return 0;
		}
	return -EIO;
}

addr_t
ruby_class_real(struct ruby_classes *classes, addr_t class)
{
	for (int i = 0; i < SUPERS_MOST; i++) {
		uint64_t flags = word(classes->memory, class);
		unsigned type = (unsigned)(flags & TYPE_MASK);

		if (type == TYPE_CLASS && !(flags & FLAG_SINGLETON))
			return class;
		if (type != TYPE_CLASS && type != TYPE_INCLUDED)
			return 0;
		class = word(classes->memory, class + CLASS_SUPER);
	}
	return 0;
}

void
ruby_class_name(struct ruby_classes *classes, addr_t class, char *to,
		size_t room)
{
	uint64_t at = 0, key;

	if (!next_name(classes, class, &at, &key, to, room))
		snprintf(to, room, "#<Class:0x%016" PRIx64 ">", class);
}

addr_t
ruby_class_name_at(const struct ruby_classes *classes, addr_t class)
{
	uint64_t at = 0;
	addr_t entry = next_entry(classes, class, &at);

	return entry ? entry + ENTRY_VALUE : 0;
}
