/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ruby's strings, and the names of methods, read from the interpreter's own
 * table of symbols. */
#ifndef STACKS_RUBY_NAMES_H
#define STACKS_RUBY_NAMES_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "stacks/binary.h"
#include "stacks/peek.h"
#include "stacks/ruby_layout.h"
#include "stacks/statement.h"

/* The type of an object, in RBasic.flags. */
enum ruby_type {
	RUBY_CLASS = 0x02,
	RUBY_MODULE = 0x03,
	RUBY_STRING = 0x05,
	RUBY_ARRAY = 0x07,
	RUBY_INTERNAL = 0x1a, /* T_IMEMO */
};

/* The kinds of T_IMEMO. */
enum ruby_internal {
	RUBY_SVAR = 2,
	RUBY_METHOD_ENTRY = 6,
};

static inline enum ruby_type
ruby_type(struct peek *peek, addr_t object)
{
	return (enum ruby_type)(peek_u64(peek, object) & 0x1f);
}

static inline enum ruby_internal
ruby_internal(struct peek *peek, addr_t object)
{
	return (enum ruby_internal)(peek_u64(peek, object) >> 12 & 0xf);
}

/* The ith value of an array. */
addr_t ruby_element(struct peek *peek, addr_t array, uint64_t i);

/* The string's text, cut if it is very long; NULL if it is not a string. */
const char *ruby_text(struct peek *peek, const struct ruby_layout *layout,
		      addr_t string, struct arena *arena);

/* The first `most` bytes of a string that may be long. Returns false if it is
 * not a string. */
bool ruby_long_text(struct peek *peek, const struct ruby_layout *layout,
		    addr_t string, size_t most, struct arena *arena,
		    struct statement_text *ret_text);

/* Is this a string with this text, of at most 64 bytes? */
bool ruby_equals(struct peek *peek, const struct ruby_layout *layout,
		 addr_t string, const char *text);

/*
 * The names of IDs, from the table of symbols. The ID of a method keeps its
 * name as long as the interpreter lives (symbol.c: it is never freed, and no
 * number is given twice), so each name is read once.
 */
struct ruby_names {
	/* Where the table (ruby_global_symbols) may be. */
	vec_of(addr_t) candidates;
	addr_t table; /* 0 until the table is found */
	struct map known;
	struct arena texts;
};

void ruby_names_init(struct ruby_names *names);
void ruby_names_release(struct ruby_names *names);
/* Adds the places where the table of the binary may be. */
void ruby_names_find(struct ruby_names *names, struct binary *binary,
		     struct reader *memory);

/* What the readers of objects need. */
struct ruby_memory {
	struct peek *peek;
	const struct ruby_layout *layout;
	struct ruby_names *names;
};

/* The name of an ID, or NULL; valid until the next call. */
const char *ruby_name(struct peek *peek, const struct ruby_layout *layout,
		      struct ruby_names *names, uint64_t id);

#endif
