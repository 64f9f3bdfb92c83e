/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A statement handle of DBI is on the stack of arguments while its method runs.
 * It is a reference to a hash; an outer handle is tied to an inner one (magic
 * 'P'). The inner handle has the driver's own data (magic '~'), and the text
 * under the key Statement (DBI.xs, dbih_setup_handle).
 *
 * The driver's data contain what the client library got: DBD::Pg the address of
 * the statement's name, DBD::mysql and DBD::MariaDB the MYSQL_STMT. A handle
 * without that address is another statement's.
 *
 *	value	 { body 0, flags 12, referent or characters or hash array 16 }
 *	body	 { magic 8, length 16, room 24 or last index 24 }
 *	magic	 { next 0, type 18, object 32 }
 *	entry	 { next 0, key 8, value 16 }
 *	key	 { length 4, characters 8 }
 *
 * While a method waits for the answer to a query, its handle is the last one on
 * the stack of arguments. Whether a method runs is not known from the stack.
 *
 * (sv.h, hv.h, mg.h; the same from 5.30 to 5.42.)
 */
#include "stacks/perl_statement.h"

#define VALUE_BODY 0
#define VALUE_FLAGS 12
#define VALUE_DATA 16
#define BODY_MAGIC 8
#define BODY_LENGTH 16
#define BODY_ROOM 24
#define MAGIC_TYPE 18
#define MAGIC_OBJECT 32
#define ENTRY_KEY 8
#define ENTRY_VALUE 16
#define KEY_LENGTH 4
#define KEY_TEXT 8

#define KIND_MASK 0xffu
#define KIND_HASH 12u
#define KIND_MAGICAL 7u
#define FLAG_TEXT 0x400u
#define FLAG_REFERENCE 0x800u

#define STACK_MOST 256u
#define MAGICS_MOST 16u
#define ROOM_MOST 65536u
#define BUCKETS_MOST 4096u
#define ENTRIES_MOST 64u

static uint32_t
flags_of(struct peek *peek, addr_t value)
{
	return peek_u32(peek, value + VALUE_FLAGS);
}

static addr_t
data_of(struct peek *peek, addr_t value)
{
	return peek_u64(peek, value + VALUE_DATA);
}

static addr_t
body_of(struct peek *peek, addr_t value)
{
	return peek_u64(peek, value + VALUE_BODY);
}

/* The hash to which the value is a reference, or 0. */
static addr_t
hash_of(struct peek *peek, addr_t value)
{
	addr_t hash;

	if (!value || value % 8 || !(flags_of(peek, value) & FLAG_REFERENCE))
		return 0;
	hash = data_of(peek, value);
	if (!hash || (flags_of(peek, hash) & KIND_MASK) != KIND_HASH)
		return 0;
	return peek->fault ? 0 : hash;
}

/* The object of the value's magic of that type, or 0. */
static addr_t
magic_of(struct peek *peek, addr_t value, char type)
{
	addr_t magic = peek_u64(peek, body_of(peek, value) + BODY_MAGIC);

	for (unsigned i = 0; magic && i < MAGICS_MOST && !peek->fault; i++) {
		if (peek_u8(peek, magic + MAGIC_TYPE) == (uint8_t)type)
			return peek_u64(peek, magic + MAGIC_OBJECT);
		magic = peek_u64(peek, magic);
	}
	return 0;
}

/*
 * The hash of the inner handle: the hash to which the value is a reference or,
 * if that is tied, the hash to which it is tied. 0 if the value is no reference
 * to a hash.
 */
static addr_t
inner_handle(struct peek *peek, addr_t value)
{
	addr_t hash = hash_of(peek, value), tied;

	if (!hash)
		return 0;
	tied = magic_of(peek, hash, 'P');
	return tied ? hash_of(peek, tied) : hash;
}

/* Do the driver's data of the handle contain this address? */
static bool
has_address(struct peek *peek, addr_t handle, addr_t address)
{
	addr_t own = magic_of(peek, handle, '~'), at;
	uint64_t room;

	if (!own || (flags_of(peek, own) & KIND_MASK) > KIND_MAGICAL ||
	    (flags_of(peek, own) & FLAG_REFERENCE))
		return false;
	at = data_of(peek, own);
	room = peek_u64(peek, body_of(peek, own) + BODY_ROOM);
	if (!at || at % 8 || room > ROOM_MOST)
		return false;
	for (uint64_t i = 0; i + 8 <= room && !peek->fault; i += 8) {
		if (peek_u64(peek, at + i) == address)
			return true;
	}
	return false;
}

static bool
is_key(struct peek *peek, addr_t key, const char *text)
{
	size_t length = strlen(text);
	char found[32];

	return length <= sizeof(found) &&
	       peek_u32(peek, key + KEY_LENGTH) == length &&
	       peek_bytes(peek, key + KEY_TEXT, found, length) &&
	       !memcmp(found, text, length);
}

/* The value under that key of a hash, or 0. */
static addr_t
element(struct peek *peek, addr_t hash, const char *text)
{
	uint64_t last = peek_u64(peek, body_of(peek, hash) + BODY_ROOM);
	addr_t buckets = data_of(peek, hash);

	for (uint64_t i = 0; buckets && i <= last && i < BUCKETS_MOST; i++) {
		addr_t entry = peek_u64(peek, buckets + 8 * i);

		for (unsigned k = 0; entry && k < ENTRIES_MOST; k++) {
			if (peek->fault)
				return 0;
			if (is_key(peek, peek_u64(peek, entry + ENTRY_KEY),
				   text))
				return peek_u64(peek, entry + ENTRY_VALUE);
			entry = peek_u64(peek, entry);
		}
	}
	return 0;
}

static bool
characters(struct peek *peek, addr_t value, struct arena *arena,
	   struct statement_text *ret_text)
{
	uint64_t whole;
	size_t length;
	char *bytes;

	if (!value || !(flags_of(peek, value) & FLAG_TEXT))
		return false;
	whole = peek_u64(peek, body_of(peek, value) + BODY_LENGTH);
	if (peek->fault || whole > INT32_MAX)
		return false;
	length = whole < STATEMENT_TEXT_MOST ? whole : STATEMENT_TEXT_MOST;
	bytes = arena_alloc(arena, length + 1);
	if (!peek_bytes(peek, data_of(peek, value), bytes, length))
		return false;
	bytes[length] = '\0';
	*ret_text = (struct statement_text){ .bytes = bytes,
					     .length = length,
					     .whole = whole };
	return !peek->fault;
}

bool
perl_statement(struct peek *peek, addr_t base, addr_t top,
	       const struct statement *statement, struct arena *arena,
	       struct statement_text *ret_text)
{
	if (!statement->handle || !base || base % 8 || top % 8)
		return false;
	for (unsigned i = 0; top > base && i < STACK_MOST; i++, top -= 8) {
		addr_t handle = inner_handle(peek, peek_u64(peek, top));
		bool found =
			handle &&
			has_address(peek, handle, statement->handle) &&
			characters(peek, element(peek, handle, "Statement"),
				   arena, ret_text);

		if (!peek_failed(peek) && found)
			return true;
	}
	return false;
}

bool
perl_query(struct peek *peek, addr_t base, addr_t top, struct arena *arena,
	   struct statement_query *ret_query)
{
	if (!base || base % 8 || top % 8)
		return false;
	ret_query->server = STATEMENT_ANY;
	for (unsigned i = 0; top > base && i < STACK_MOST; i++, top -= 8) {
		addr_t handle = inner_handle(peek, peek_u64(peek, top));
		bool found =
			handle && magic_of(peek, handle, '~') &&
			characters(peek, element(peek, handle, "Statement"),
				   arena, &ret_query->text);

		if (!peek_failed(peek) && found)
			return true;
	}
	return false;
}
