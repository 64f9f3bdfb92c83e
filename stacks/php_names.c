/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	executor_globals { function_table 432, class_table 440 }
 *	class { name 8, function_table 64 (in place) }
 *	function { type 0, name 8, scope 16, ..., handler }
 *	table { mask 12, buckets 16, used 24 }
 *	bucket { value 0, next 12, hash 16, key 24 }, the hashes' heads in front
 *
 * of PHP 7.4 to 8.4 (Zend/zend_globals.h, zend.h, zend_compile.h,
 * zend_types.h), without threads. The place of a function's handler differs
 * between versions: it is the first word behind the common part that points to
 * code, because the other words are numbers or point to data.
 *
 * Names are lower-case in the tables. The tables may be damaged, so an entry is
 * used only if it has the name that was searched.
 */
#include "stacks/php_names.h"

#include "stacks/peek.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define NAME_MOST 256u
#define CHAIN_MOST 4096u

enum {
	API_FIRST = 20190902, /* 7.4 */
	API_LAST = 20240924,  /* 8.4 */
	MODULE_API = 4,
	MODULE_THREADS = 9,
	GLOBALS_FUNCTIONS = 432,
	GLOBALS_CLASSES = 440,
	CLASS_FUNCTIONS = 64,
	FUNCTION_COMMON = 48,
	FUNCTION_SEARCHED = 104,
	TABLE_MASK = 12,
	TABLE_BUCKETS = 16,
	TABLE_USED = 24,
	BUCKET_NEXT = 12,
	BUCKET_HASH = 16,
	BUCKET_KEY = 24,
	BUCKET_SIZE = 32,
	STRING_LENGTH = 16,
	STRING_TEXT = 24,
	INTERNAL = 1, /* ZEND_INTERNAL_FUNCTION */
};

/* DJBX33A, http://www.burtleburtle.net/bob/hash/doobs.html, the highest bit
 * set. */
static uint64_t
hash_of(const char *name, size_t length)
{
	uint64_t hash = 5381;

	for (size_t i = 0; i < length; i++)
		hash = hash * 33 + (unsigned char)name[i];
	return hash | UINT64_C(1) << 63;
}

static bool
is_named(struct peek *peek, addr_t string, const char *name, size_t length)
{
	char text[NAME_MOST];

	return string && peek_u64(peek, string + STRING_LENGTH) == length &&
	       peek_bytes(peek, string + STRING_TEXT, text, length) &&
	       !memcmp(text, name, length);
}

/* The table's entry under the lower-case name: a pointer, or 0. */
static addr_t
look_up(struct peek *peek, addr_t table, const char *name, size_t length)
{
	uint64_t hash = hash_of(name, length);
	uint32_t mask = peek_u32(peek, table + TABLE_MASK);
	uint32_t used = peek_u32(peek, table + TABLE_USED);
	addr_t buckets = peek_u64(peek, table + TABLE_BUCKETS);
	int32_t place = (int32_t)((uint32_t)hash | mask);
	uint32_t i;

	if (peek->fault || used == 0 || place >= 0)
		return 0;
	i = peek_u32(peek, buckets + (addr_t)((int64_t)place * 4));
	for (unsigned steps = 0; i < used && steps < CHAIN_MOST; steps++) {
		addr_t bucket = buckets + (addr_t)i * BUCKET_SIZE;

		if (peek_u64(peek, bucket + BUCKET_HASH) == hash &&
		    is_named(peek, peek_u64(peek, bucket + BUCKET_KEY), name,
			     length))
			return peek_u64(peek, bucket);
		i = peek_u32(peek, bucket + BUCKET_NEXT);
		if (peek->fault)
			break;
	}
	return 0;
}

static addr_t
handler_of(const struct php_names *names, struct peek *peek, addr_t function)
{
	if (!function || peek_u8(peek, function) != INTERNAL)
		return 0;
	for (addr_t at = FUNCTION_COMMON; at < FUNCTION_SEARCHED; at += 8) {
		addr_t word = peek_u64(peek, function + at);

		if (word && names->is_code(names->user, word))
			return word;
	}
	return 0;
}

/* Checks the version of PHP, which the first registered module tells. Returns
 * 0, -EAGAIN if no module is registered yet, or -ENOTSUP. */
static int
check_version(const struct php_names *names, struct peek *peek)
{
	addr_t module;
	uint32_t api;

	if (peek_u32(peek, names->registry + TABLE_USED) == 0)
		return -EAGAIN;
	module =
		peek_u64(peek, peek_u64(peek, names->registry + TABLE_BUCKETS));
	api = peek_u32(peek, module + MODULE_API);
	if (peek->fault)
		return -EAGAIN;
	if (api < API_FIRST || api > API_LAST ||
	    peek_u8(peek, module + MODULE_THREADS))
		return -ENOTSUP;
	return 0;
}

/* PHP's tables have names with ASCII letters in lower case. */
static size_t
lower(const char *name, size_t length, char *to)
{
	for (size_t i = 0; i < length; i++) {
		bool is_capital = name[i] >= 'A' && name[i] <= 'Z';

		to[i] = is_capital ? (char)(name[i] + ('a' - 'A')) : name[i];
	}
	return length;
}

int
php_names_find(const struct php_names *names, const char *name,
	       addr_t *ret_address)
{
	struct peek peek = { .memory = names->memory };
	const char *colons = strstr(name, "::");
	const char *method = colons ? colons + 2 : name;
	char small[NAME_MOST];
	addr_t table, class, address;
	int r = check_version(names, &peek);

	if (r < 0)
		return r;
	if (strlen(name) >= NAME_MOST)
		return -ENOENT;
	table = peek_u64(&peek, names->globals + (colons ? GLOBALS_CLASSES
							 : GLOBALS_FUNCTIONS));
	if (!table)
		return -EAGAIN;
	if (colons) {
		class = look_up(&peek, table, small,
				lower(name, (size_t)(colons - name), small));
		if (!class)
			return -ENOENT;
		table = class + CLASS_FUNCTIONS;
	}
	address = handler_of(names, &peek,
			     look_up(&peek, table, small,
				     lower(method, strlen(method), small)));
	if (!address || peek.fault)
		return -ENOENT;
	*ret_address = address;
	return 0;
}
