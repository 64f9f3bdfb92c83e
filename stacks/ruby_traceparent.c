/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rack gives the request to an application as a Hash, env, which has the header
 * under "HTTP_TRACEPARENT". It is in a variable of the frame, or in the member
 * @env of self or of another object in a variable, such as Rack::Request. The
 * names of local variables do not matter. A block that is not a lambda also has
 * the variables of the method around it.
 *
 *	control frame	{ iseq 16, self 24, ep 32 }
 *	iseq		{ body 16 }
 *	body		{ number of variables: 64 behind local_iseq }
 *	ep		{ variables before three words, of which -8 is the outer
 *			  ep of a block, and 0 has flags }
 *	Hash		{ flags 0, table 16 }
 *	small table	pairs of a key and a value; flags have their number
 *	st_table	{ first entry 32, end 40, entries 48 }
 *	entry		{ hash 0, key 8, value 16 }
 *	object		{ class 8, number of variables 16 (32 bits), variables
 *			  24, table 32 }, or three variables from 16 on
 *	class		{ super 16, extension 24 }, and in it { table 0 }
 *	table		an st_table of IDs and the addresses of their numbers
 *
 * (vm_core.h, internal/hash.h, st.h, internal/class.h and variable.h of 3.1.)
 */
#include "stacks/ruby_traceparent.h"

#include "base/attr.h"

#include <string.h>

#define FRAME_ISEQ 16
#define FRAME_SELF 24
#define FRAME_EP 32
#define ISEQ_BODY 16
#define BODY_COUNT 64 /* behind local_iseq */
#define OWN_WORDS 2   /* of ep, besides the one at it */
#define FLAG_LOCAL 0x2u
#define FLAG_LAMBDA 0x100u
#define BLOCKS_MOST 8u
#define BODY_PARENT 8 /* before local_iseq */
#define VARIABLES_MOST 64u

#define TYPE_OBJECT 0x01u
#define TYPE_HASH 0x08u
#define LEAST_ADDRESS 4096u

#define HASH_TABLE 16
#define HASH_LARGE (UINT64_C(1) << 15)
#define HASH_SMALL_COUNT(flags) ((flags) >> 20 & 0xf)
#define SMALL_MOST 8u
#define TABLE_FIRST 32
#define TABLE_END 40
#define TABLE_ENTRIES 48
#define ENTRY 24u
#define ENTRIES_MOST 512u
/* Entries of all tables that are read for one frame. The thread waits
 * meanwhile, and its variables may be many large Hashes. */
#define ENTRIES_ALL 4096u

#define OBJECT_CLASS 8
#define OBJECT_WITHIN (UINT64_C(1) << 13)
#define OBJECT_COUNT 16
#define OBJECT_VARIABLES 24
#define WITHIN_VARIABLES 16
#define WITHIN_MOST 3u
#define OBJECT_TABLE 32
#define CLASS_SUPER 16
#define CLASS_EXTENSION 24
#define CLASS_SINGLETON (UINT64_C(1) << 12)
#define CLASSES_MOST 64u

#define NAME "HTTP_TRACEPARENT"
#define MEMBER "@env"

/* ---- tables ---------------------------------------------------------------
 */

struct table_search {
	struct ruby_memory *memory;
	unsigned left; /* how many more entries of tables are read */
};

/* The value of the first entry of an st_table whose key is the right one, or
 * 0. */
static uint64_t
in_table(struct table_search *search, addr_t table,
	 bool (*is_right)(struct ruby_memory *memory, uint64_t key))
{
	struct peek *peek = search->memory->peek;
	uint64_t first = peek_u64(peek, table + TABLE_FIRST);
	uint64_t end = peek_u64(peek, table + TABLE_END);
	addr_t entries = peek_u64(peek, table + TABLE_ENTRIES);

	if (end > ENTRIES_MOST)
		return 0;
	for (uint64_t i = first; i < end && search->left > 0 && !peek->fault;
	     i++) {
		addr_t entry = entries + ENTRY * i;

		search->left--;
		/* a removed entry */
		if (peek_u64(peek, entry) == UINT64_MAX)
			continue;
		if (is_right(search->memory, peek_u64(peek, entry + 8)))
			return peek_u64(peek, entry + 16);
	}
	return 0;
}

static bool
is_object(struct ruby_memory *memory, uint64_t value, unsigned type)
{
	return value >= LEAST_ADDRESS && value % 8 == 0 &&
	       (unsigned)ruby_type(memory->peek, value) == type;
}

/* ---- the Hash -------------------------------------------------------------
 */

static bool
is_header(struct ruby_memory *memory, uint64_t key)
{
	return is_object(memory, key, RUBY_STRING) &&
	       ruby_equals(memory->peek, memory->layout, key, NAME);
}

static uint64_t
in_pairs(struct ruby_memory *memory, addr_t pairs, uint64_t count)
{
	struct peek *peek = memory->peek;

	for (uint64_t i = 0; i < count && i < SMALL_MOST && !peek->fault; i++)
		if (is_header(memory, peek_u64(peek, pairs + 16 * i)))
			return peek_u64(peek, pairs + 16 * i + 8);
	return 0;
}

/* The value of the header in the Hash; 0 if the value is none, or has none. */
static uint64_t
in_hash(struct table_search *search, uint64_t value)
{
	struct ruby_memory *memory = search->memory;
	uint64_t flags;
	addr_t table;

	if (!is_object(memory, value, TYPE_HASH))
		return 0;
	flags = peek_u64(memory->peek, value);
	table = peek_u64(memory->peek, value + HASH_TABLE);
	return flags & HASH_LARGE
		       ? in_table(search, table, is_header)
		       : in_pairs(memory, table, HASH_SMALL_COUNT(flags));
}

/* ---- objects --------------------------------------------------------------
 */

static bool
is_member(struct ruby_memory *memory, uint64_t key)
{
	const char *name =
		ruby_name(memory->peek, memory->layout, memory->names, key);

	return name && strcmp(name, MEMBER) == 0;
}

/* The table of the variables of an object whose variables are in it. */
static addr_t
table_of(struct ruby_memory *memory, addr_t object)
{
	struct peek *peek = memory->peek;
	addr_t class = peek_u64(peek, object + OBJECT_CLASS);

	for (unsigned i = 0; i < CLASSES_MOST && !peek->fault; i++) {
		uint64_t flags = peek_u64(peek, class);

		if ((flags & 0x1f) == RUBY_CLASS && !(flags & CLASS_SINGLETON))
			break;
		class = peek_u64(peek, class + CLASS_SUPER);
	}
	return peek_u64(peek, peek_u64(peek, class + CLASS_EXTENSION));
}

/* The value of an object's @env, or 0. */
static uint64_t
member_of(struct table_search *search, addr_t object)
{
	struct peek *peek = search->memory->peek;
	bool within = peek_u64(peek, object) & OBJECT_WITHIN;
	addr_t table = within ? table_of(search->memory, object)
			      : peek_u64(peek, object + OBJECT_TABLE);
	addr_t variables = object + WITHIN_VARIABLES, entry;
	uint32_t number, count = WITHIN_MOST;

	if (peek->fault || !table)
		return 0;
	entry = in_table(search, table, is_member);
	if (!entry)
		return 0;
	number = peek_u32(peek, entry);
	if (!within) {
		count = peek_u32(peek, object + OBJECT_COUNT);
		variables = peek_u64(peek, object + OBJECT_VARIABLES);
	}
	return number < count ? peek_u64(peek, variables + 8 * (addr_t)number)
			      : 0;
}

/* The value of the header to which a value leads, or 0. A failed read of one
 * value does not matter for the others. */
static uint64_t
in_value(struct table_search *search, uint64_t value)
{
	uint64_t found = in_hash(search, value);

	if (!found && is_object(search->memory, value, TYPE_OBJECT))
		found = in_hash(search, member_of(search, value));
	return peek_failed(search->memory->peek) ? 0 : found;
}

/* ---- frames ---------------------------------------------------------------
 */

static uint64_t
in_variables(struct table_search *search, addr_t body, addr_t ep)
{
	struct ruby_memory *memory = search->memory;
	addr_t at = body + memory->layout->local_iseq + BODY_COUNT;
	uint32_t count = peek_u32(memory->peek, at);
	addr_t first = ep - 8 * (OWN_WORDS + (addr_t)count);
	uint64_t found = 0;

	if (memory->peek->fault || count > VARIABLES_MOST)
		return 0;
	for (uint32_t i = 0; i < count && !found; i++)
		found = in_value(search,
				 peek_u64(memory->peek, first + 8 * (addr_t)i));
	return found;
}

static uint64_t
in_frame(struct ruby_memory *memory, addr_t frame)
{
	struct table_search search = { .memory = memory, .left = ENTRIES_ALL };
	struct peek *peek = memory->peek;
	addr_t iseq = peek_u64(peek, frame + FRAME_ISEQ);
	addr_t ep = peek_u64(peek, frame + FRAME_EP);
	uint64_t found = 0;

	for (unsigned i = 0; i < BLOCKS_MOST && iseq && !peek->fault; i++) {
		addr_t body = peek_u64(peek, iseq + ISEQ_BODY);
		uint64_t flags = peek_u64(peek, ep);

		found = in_variables(&search, body, ep);
		if (found || flags & (FLAG_LOCAL | FLAG_LAMBDA))
			break;
		iseq = peek_u64(peek, body + memory->layout->local_iseq -
					      BODY_PARENT);
		ep = peek_u64(peek, ep - 8) & ~UINT64_C(3);
	}
	peek_failed(peek);
	return found ? found
		     : in_value(&search, peek_u64(peek, frame + FRAME_SELF));
}

bool
ruby_traceparent(struct ruby_memory *memory, addr_t frame, char *to,
		 size_t most)
{
	uint64_t value = in_frame(memory, frame);
	struct statement_text text;
	struct arena arena;
	bool found;

	arena_init(&arena);
	found = is_object(memory, value, RUBY_STRING) &&
		ruby_long_text(memory->peek, memory->layout, value, most,
			       &arena, &text) &&
		text.length == text.whole && text.length < most;
	if (found) {
		memcpy(to, text.bytes, text.length);
		to[text.length] = '\0';
	}
	arena_release(&arena);
	return !peek_failed(memory->peek) && found;
}
