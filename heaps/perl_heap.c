/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PL_curinterp is exported: the first interpreter, whose members here are the
 * number of values (240), the arenas of heads (256), those of bodies (2584),
 * and a hook that the module `threads` replaces (2728).
 *
 *	arena of heads: 0 the next arena, 8 number of its places (32 bits); the
 *		first place is this description
 *	head (24 bytes): 0 body, 12 flags with the kind, 16 string, array, hash
 *	arenas of bodies: 0 the next set, 8 room and number (32 bits each), 16
 *		{ arena, size, kind } ...
 *	body: 0 the package of an object
 *
 * The walk must find as many values as PL_sv_count says, as nearly as a program
 * that runs allows.
 */
#include "heaps/perl_heap.h"

#include "heaps/census_strings.h"
#include "heaps/words.h"
#include "stacks/perl_text.h"

#include <errno.h>
#include <stdio.h>

#define VERSION 36

#define PERL_COUNT 240
#define PERL_ARENAS 256
#define PERL_BODIES 2584
#define PERL_HOOK 2728

#define HEAD_SIZE 24u
#define HEAD_BODY 0
#define HEAD_NUMBER 8
#define HEAD_FLAGS 12
#define HEAD_UNION 16
#define ARENA_HEADS_MOST 2731u /* how many heads an arena of 64 KiB has */

#define SET_NEXT 0
#define SET_ROOM 8
#define SET_USED 12
#define SET_FIRST 16
#define SET_ENTRY 24u
#define SET_ENTRIES 169u
#define SET_SIZE (SET_FIRST + SET_ENTRIES * SET_ENTRY)
#define ENTRY_SIZE 8
#define BODY_ARENA_MOST (UINT64_C(1) << 20)

/* sv.h */
#define KIND_MASK 0xffu
#define KIND_FREE 0xffu
#define FLAG_TEXT 0x400u /* the value is a string (SVf_POK) */
#define FLAG_REFERENCE 0x800u
#define FLAG_OBJECT 0x100000u
#define FLAG_OFFSET 0x2000000u /* flag of a hash that has a name and more */
#define FLAG_SHARED 0x10000000u

/* Offsets in a body. */
#define BODY_PACKAGE 0
#define BODY_KEYS 16
#define BODY_LENGTH 16 /* of a string */
#define BODY_ROOM 24
#define BODY_ARRAY 32
#define BODY_READ 40u
#define HASH_WITH_NAME 88u
#define KEY_SIZE 24u
#define ROOM_MOST (UINT64_C(1) << 40)

/* The program runs while the heap is copied, and may make or free values. If
 * the number of values in the copy and Perl's own number differ by more than
 * this plus half of the smaller one, the copy counts as wrong. */
#define SLACK 100000u

enum perl_kind {
	KIND_NULL,
	KIND_STRING = 3,
	KIND_LIST = 4, /* an inversion list */
	KIND_MAGIC = 7,
	KIND_ARRAY = 11,
	KIND_HASH = 12,
	KINDS = 16,
};

/* For each kind of value, the size of its body (sv_inline.h), and its name as
 * reftype() has it. */
static const struct {
	uint8_t body;
	const char *name;
} kinds[KINDS] = {
	{ 0, "(SCALAR)" },  { 0, "(SCALAR)" },	 { 0, "(SCALAR)" },
	{ 16, "(SCALAR)" }, { 32, "(INVLIST)" }, { 24, "(SCALAR)" },
	{ 32, "(SCALAR)" }, { 48, "(SCALAR)" },	 { 192, "(REGEXP)" },
	{ 48, "(GLOB)" },   { 80, "(LVALUE)" },	 { 40, "(ARRAY)" },
	{ 32, "(HASH)" },   { 104, "(CODE)" },	 { 120, "(FORMAT)" },
	{ 136, "(IO)" },
};

/* An arena of bodies, and how many of its bytes are those of values. */
struct perl_bodies {
	addr_t from, end;
	uint64_t used;
};

struct perl_values {
	struct reader *memory;
	vec_of(struct perl_bodies) bodies; /* sorted by address */
	struct census *census;
	struct arena arena;
	struct map packages; /* address -> row; &none if it is no package */
	struct map buffers;  /* shared strings that were counted */
	struct census_row none;
	/* one row for each kind, and one for references */
	struct census_row *by_name[KINDS + 1];
};

/* ---- where the heap is -----------------------------------------------------
 */

static int
find_interpreter(struct binary *binary, struct reader *memory,
		 addr_t *ret_interpreter, struct err *err)
{
	addr_t at = binary_symbol(binary, "PL_version"), interpreter;
	addr_t first = binary_symbol(binary, "PL_curinterp");
	uint8_t version;

	if (!at || !binary_symbol(binary, "Perl_runops_standard"))
		return -ENOENT;
	if (reader_read(memory, at, &version, 1) < 0)
		return err_set(err, -EIO, "%s: the heap of Perl is not found",
			       binary->label);
	if (version != VERSION)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of Perl 5.%u is not known to "
			       "xtrace, only that of 5.36",
			       binary->label, version);
	if (!binary_symbol(binary, "PL_thr_key"))
		return err_set(err, -ENOTSUP,
			       "%s: the heap of Perl that is made without "
			       "threads is not known to xtrace",
			       binary->label);
	if (!first || reader_u64(memory, first, &interpreter) < 0 ||
	    interpreter == 0)
		return err_set(err, -EIO, "%s: the heap of Perl is not found",
			       binary->label);
	*ret_interpreter = interpreter;
	return 0;
}

/* ---- arenas ----------------------------------------------------------------
 */

/* Visits the arenas of heads. An arena that is found twice ends a list that is
 * a cycle. */
static int
walk_heads(struct reader *memory, addr_t interpreter,
	   int (*visit)(void *, addr_t, size_t), void *user)
{
	struct map seen;
	addr_t at;
	int r = reader_u64(memory, interpreter + PERL_ARENAS, &at);

	map_init(&seen);
	while (r == 0 && at != 0) {
		uint8_t head[HEAD_SIZE];
		uint32_t number;

		r = reader_read(memory, at, head, sizeof(head));
		if (r < 0)
			break;
		number = word32(head, HEAD_NUMBER);
		if (number < 2 || number > ARENA_HEADS_MOST ||
		    map_get(&seen, at)) {
			r = -EIO;
			break;
		}
		map_put(&seen, at, user);
		r = visit(user, at, (size_t)number * HEAD_SIZE);
		at = word64(head, 0);
	}
	map_release(&seen);
	return r;
}

/* Visits the arenas of a set, and sets *at to the next set. */
static int
walk_set(struct reader *memory, addr_t *at,
	 int (*visit)(void *, addr_t, size_t), void *user)
{
	uint8_t set[SET_SIZE];
	uint32_t used;
	int r = reader_read(memory, *at, set, sizeof(set));

	if (r < 0)
		return r;
	used = word32(set, SET_USED);
	if (word32(set, SET_ROOM) != SET_ENTRIES || used > SET_ENTRIES)
		return -EIO;
	for (uint32_t i = 0; i < used && r == 0; i++) {
		const uint8_t *entry = set + SET_FIRST + i * SET_ENTRY;
		uint64_t size = word64(entry, ENTRY_SIZE);

		r = size == 0 || size > BODY_ARENA_MOST
			    ? -EIO
			    : visit(user, word64(entry, 0), size);
	}
	*at = word64(set, SET_NEXT);
	return r;
}

/* Visits the arenas of bodies. */
static int
walk_bodies(struct reader *memory, addr_t interpreter,
	    int (*visit)(void *, addr_t, size_t), void *user)
{
	struct map seen;
	addr_t at;
	int r = reader_u64(memory, interpreter + PERL_BODIES, &at);

	map_init(&seen);
	while (r == 0 && at != 0) {
		if (map_get(&seen, at)) {
			r = -EIO;
			break;
		}
		map_put(&seen, at, user);
		r = walk_set(memory, &at, visit, user);
	}
	map_release(&seen);
	return r;
}

static int
copy_arena(void *user, addr_t at, size_t length)
{
	return heap_copy_add(user, at, length);
}

static bool
is_text(uint32_t flags)
{
	unsigned kind = flags & KIND_MASK;

	return flags & FLAG_TEXT && kind >= KIND_STRING && kind <= KIND_MAGIC &&
	       kind != KIND_LIST;
}

/* Notes the strings of an arena of heads. The arena and the bodies are
 * copied. */
static int
want_texts(void *user, addr_t at, size_t length)
{
	struct heap_copy *copy = user;
	uint8_t heads[ARENA_HEADS_MOST * HEAD_SIZE];
	int r = reader_read(&copy->reader, at, heads, length);

	for (size_t i = HEAD_SIZE; i < length && r == 0; i += HEAD_SIZE) {
		const uint8_t *head = heads + i;
		uint64_t size;

		if (is_text(word32(head, HEAD_FLAGS)) &&
		    reader_u64(&copy->reader,
			       word64(head, HEAD_BODY) + BODY_LENGTH,
			       &size) == 0)
			heap_copy_want(copy, word64(head, HEAD_UNION),
				       census_text_of(NULL, size).shown);
	}
	return r;
}

static int
copy_strings(struct heap_copy *copy, addr_t interpreter)
{
	int r = walk_heads(&copy->reader, interpreter, want_texts, copy);

	return r == 0 ? heap_copy_wanted(copy) : r;
}

int
perl_heap_copy(struct binary *binary, struct heap_copy *copy, struct err *err)
{
	addr_t interpreter;
	int r = find_interpreter(binary, copy->memory, &interpreter, err);

	if (r < 0)
		return r;
	r = walk_heads(copy->memory, interpreter, copy_arena, copy);
	if (r == 0)
		r = walk_bodies(copy->memory, interpreter, copy_arena, copy);
	if (r == 0 && copy->strings)
		r = copy_strings(copy, interpreter);
	return heap_copied(r, binary, "Perl", err);
}

/* ---- rows ------------------------------------------------------------------
 */

static struct census_row *
row_of_kind(struct perl_values *values, unsigned kind, uint32_t flags)
{
	bool reference = kind <= KIND_MAGIC && (flags & FLAG_REFERENCE);
	unsigned index = 0;

	while (!reference && strcmp(kinds[index].name, kinds[kind].name) != 0)
		index++;
	if (reference)
		index = KINDS;
	if (!values->by_name[index])
		values->by_name[index] =
			census_add(values->census, index + 1,
				   reference ? "(REF)" : kinds[kind].name);
	return values->by_name[index];
}

/* Reads the name of the package at that address, if it is one. */
static struct census_row *
read_package(struct perl_values *values, addr_t package)
{
	const struct perl_layout *layout = perl_layout_of(VERSION);
	struct peek peek = { .memory = values->memory };
	uint8_t head[HEAD_SIZE];
	const char *name;

	if (package % 8 != 0 ||
	    reader_read(values->memory, package, head, sizeof(head)) < 0 ||
	    (word32(head, HEAD_FLAGS) & KIND_MASK) != KIND_HASH ||
	    !(word32(head, HEAD_FLAGS) & FLAG_OFFSET))
		return &values->none;
	name = perl_package_name(&peek, layout, package, &values->arena);
	return peek_failed(&peek) || !name[0]
		       ? &values->none
		       : census_add(values->census, package, name);
}

/* The row of an object's class; NULL if it has no class: it was just freed. */
static struct census_row *
row_of_package(struct perl_values *values, addr_t package)
{
	struct census_row *row = map_get(&values->packages, package);

	if (!row) {
		row = read_package(values, package);
		map_put(&values->packages, package, row);
	}
	return row == &values->none ? NULL : row;
}

/* ---- values ----------------------------------------------------------------
 */

/* The room of a string. Several values may share it: it is counted once. */
static uint64_t
bytes_of_string(struct perl_values *values, const uint8_t *head,
		const uint8_t *body)
{
	uint32_t flags = word32(head, HEAD_FLAGS);
	addr_t at = word64(head, HEAD_UNION);

	if (flags & FLAG_REFERENCE || at == 0 || word64(body, BODY_ROOM) == 0)
		return 0;
	if (flags & FLAG_SHARED) {
		if (map_get(&values->buffers, at))
			return 0;
		map_put(&values->buffers, at, values);
	}
	return word64(body, BODY_ROOM);
}

/* Adds a string. Its characters are not in the copy of the heap, so their
 * beginning is read from the process. After that, the value must still be the
 * same. A string that several values share is counted for each of them. */
static void
take_text(struct perl_values *values, const uint8_t *head, addr_t at,
	  const uint8_t *body)
{
	struct census_strings *strings = values->census->strings;
	uint64_t length = word64(body, BODY_LENGTH), now_long;
	uint8_t begin[CENSUS_STRING_SHOWN], now[HEAD_SIZE];
	const struct census_text text = census_text_of(begin, length);

	if ((length == 0 ||
	     reader_read(strings->memory, word64(head, HEAD_UNION), begin,
			 text.shown) == 0) &&
	    reader_read(strings->memory, at, now, sizeof(now)) == 0 &&
	    memcmp(now, head, sizeof(now)) == 0 &&
	    reader_u64(strings->memory, word64(head, HEAD_BODY) + BODY_LENGTH,
		       &now_long) == 0 &&
	    now_long == length)
		census_strings_add(strings, &text, word64(body, BODY_ROOM));
	else
		strings->changed++;
}

/* The bytes of a value beside its head and body. */
static uint64_t
bytes_beside(struct perl_values *values, const uint8_t *head,
	     const uint8_t *body)
{
	uint32_t flags = word32(head, HEAD_FLAGS);
	unsigned kind = flags & KIND_MASK;
	uint64_t bytes = 0;

	if (kind >= KIND_STRING && kind <= KIND_MAGIC)
		bytes = bytes_of_string(values, head, body);
	else if (kind == KIND_ARRAY && word64(body, BODY_ARRAY) != 0)
		bytes = (word64(body, BODY_ROOM) + 1) * 8;
	else if (kind == KIND_HASH && word64(head, HEAD_UNION) != 0)
		bytes = (word64(body, BODY_ROOM) + 1) * 8 +
			word64(body, BODY_KEYS) * KEY_SIZE;
	return bytes < ROOM_MOST ? bytes : 0;
}

static uint64_t
body_size(unsigned kind, uint32_t flags)
{
	return kind == KIND_HASH && flags & FLAG_OFFSET ? HASH_WITH_NAME
							: kinds[kind].body;
}

static int
compare_bodies(const void *one, const void *other)
{
	const struct perl_bodies *a = one, *b = other;

	return a->from < b->from ? -1 : a->from > b->from;
}

/* The arena of bodies with that address, or NULL. */
static struct perl_bodies *
bodies_with(struct perl_values *values, addr_t at)
{
	size_t low = 0, high = values->bodies.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (values->bodies.at[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && at < values->bodies.at[low - 1].end
		       ? &values->bodies.at[low - 1]
		       : NULL;
}

/* Notes that a body is in use. The head has its address, or that of the place
 * 16 bytes before it (body_details.offset). In both cases the address 16 bytes
 * on is in the body. A body that is in no arena was allocated alone. */
static void
use_body(struct perl_values *values, const uint8_t *head, uint64_t size)
{
	struct perl_bodies *bodies =
		bodies_with(values, word64(head, HEAD_BODY) + 16);

	if (bodies)
		bodies->used += size;
	else
		values->census->mapped += size;
}

/* Counts the value with this head, whose address is `at`. */
static void
count_value(struct perl_values *values, const uint8_t *head, addr_t at)
{
	uint32_t flags = word32(head, HEAD_FLAGS);
	unsigned kind = flags & KIND_MASK;
	uint8_t body[BODY_READ] = { 0 };
	struct census_row *row = NULL;
	uint64_t beside, size;

	if (kind >= KINDS)
		return;
	size = body_size(kind, flags);
	/* For some kinds the address in the head is a place before the body
	 * (body_details.offset). For all kinds the bytes that are read from
	 * this address on are mapped. */
	if (kinds[kind].body > 0 &&
	    reader_read(values->memory, word64(head, HEAD_BODY), body,
			kind == KIND_ARRAY ? BODY_ARRAY + 8 : BODY_ARRAY) < 0)
		memset(body, 0, sizeof(body));
	if (flags & FLAG_OBJECT && kind >= KIND_MAGIC)
		row = row_of_package(values, word64(body, BODY_PACKAGE));
	if (!row)
		row = row_of_kind(values, kind, flags);
	beside = bytes_beside(values, head, body);
	values->census->mapped += beside;
	census_count(values->census, row, 1, HEAD_SIZE + size + beside);
	if (size > 0)
		use_body(values, head, size);
	if (values->census->strings && is_text(flags))
		take_text(values, head, at, body);
}

/* The first place of an arena describes the arena. */
static int
count_arena(void *user, addr_t at, size_t length)
{
	struct perl_values *values = user;
	uint8_t heads[ARENA_HEADS_MOST * HEAD_SIZE];
	uint64_t before = values->census->count, used;

	if (reader_read(values->memory, at, heads, length) < 0)
		return -EIO;
	for (size_t i = HEAD_SIZE; i < length; i += HEAD_SIZE)
		count_value(values, heads + i, at + i);
	used = values->census->count - before;
	if (used > 0)
		values->census->fragmented += length - used * HEAD_SIZE;
	values->census->pages++;
	values->census->mapped += length;
	return 0;
}

static int
add_bodies(void *user, addr_t at, size_t length)
{
	struct perl_values *values = user;
	struct perl_bodies bodies = { .from = at, .end = at + length };

	values->census->mapped += length;
	vec_push(&values->bodies, bodies);
	return 0;
}

/* Adds the free bytes of the arenas that have a body in use. */
static void
add_fragments(struct perl_values *values)
{
	for (size_t i = 0; i < values->bodies.count; i++) {
		const struct perl_bodies *bodies = &values->bodies.at[i];
		uint64_t length = bodies->end - bodies->from;

		if (bodies->used > 0 && bodies->used < length)
			values->census->fragmented += length - bodies->used;
	}
	values->census->has_fragmented = true;
}

/* Is the number of values that were found near the number that the interpreter
 * has counted? The program may have made or freed some during the copying. */
static bool
is_plausible(struct perl_values *values, addr_t interpreter)
{
	uint64_t said, found = values->census->count, less;

	if (reader_u64(values->memory, interpreter + PERL_COUNT, &said) < 0)
		return false;
	less = said < found ? said : found;
	return (said > found ? said : found) - less <= less / 2 + SLACK;
}

static int
count_values(struct perl_values *values, addr_t interpreter)
{
	int r = walk_bodies(values->memory, interpreter, add_bodies, values);

	vec_sort(&values->bodies, compare_bodies);
	if (r == 0)
		r = walk_heads(values->memory, interpreter, count_arena,
			       values);
	add_fragments(values);
	return r == 0 && is_plausible(values, interpreter) ? 0 : -EIO;
}

int
perl_heap_count(struct binary *binary, struct reader *memory,
		struct census *census, struct err *err)
{
	struct perl_values values = { .memory = memory, .census = census };
	addr_t interpreter, hook;
	int r = find_interpreter(binary, memory, &interpreter, err);

	if (r < 0)
		return r;
	arena_init(&values.arena);
	map_init(&values.packages);
	map_init(&values.buffers);
	r = count_values(&values, interpreter);
	vec_release(&values.bodies);
	map_release(&values.buffers);
	map_release(&values.packages);
	arena_release(&values.arena);
	if (r < 0)
		return err_set(err, -EIO, "%s: the heap of Perl makes no sense",
			       binary->label);
	if (reader_u64(memory, interpreter + PERL_HOOK, &hook) == 0 &&
	    hook != binary_symbol(binary, "Perl_nothreadhook"))
		snprintf(census->not_counted, sizeof(census->not_counted),
			 "the values of other threads of Perl");
	return 0;
}
