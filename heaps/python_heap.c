/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * _Py_GetAllocatedBlocks() is exported, and its code tells where the table of
 * arenas is.
 *
 * Which block is an object is seen from its type (Include/object.h). A block
 * with an object has one of three forms:
 *
 *	object
 *	header of the garbage collector (16 bytes), object
 *	two words for attributes, header of the garbage collector, object
 *
 * The flags of the type must tell the same form, and the size of the objects of
 * the type must agree with the size of the block. Other blocks are parts of
 * objects (python_parts.h). An object that is kept for its next use has no
 * references, and is counted with the parts whose owner is not known.
 *
 * A type is known by its type: `type`, or a class derived from it.
 */
#include "heaps/python_heap.h"

#include "base/xmalloc.h"
#include "heaps/census_strings.h"
#include "heaps/python_parts.h"
#include "heaps/python_pool.h"
#include "heaps/python_text.h"
#include "heaps/words.h"
#include "stacks/noted_reads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VERSION 0x030bu

/* The first reads of _Py_GetAllocatedBlocks(): in any order the number of
 * blocks that come from malloc(), and the number of arenas, which has 32 bits;
 * then the table of arenas. */
enum { READ_FIRST, READ_SECOND, READ_TABLE, READS };

#define ARENAS_MOST 131072u
#define ARENA_ENTRY 48u
#define ARENA_ADDRESS 0
#define ARENA_NEVER_USED 8 /* the first pool that was never used */
#define ARENA_SIZE UINT64_C(1048576)

/* How often a pool is copied at most, if it changes meanwhile. */
#define COPIES_MOST 4

#define REFERENCES_MOST (UINT64_C(1) << 32)

#define TYPE_NAME 24
#define TYPE_BASIC 32
#define TYPE_ITEM 40
#define TYPE_FLAGS 168
#define TYPE_READ 176
#define TYPE_BASE 256
#define BASES_MOST 32u
#define FLAG_DICT (1u << 4) /* Py_TPFLAGS_MANAGED_DICT */
#define FLAG_READY (1u << 12)
#define FLAG_GC (1u << 14)
#define FLAG_TEXT (1u << 28)
#define FLAG_TYPE (1u << 31)
#define TYPE_NAME_MOST 256

#define GC_HEADER 16u
#define DICT_HEADER 32u
/* The size of a str of ASCII without its characters. */
#define TEXT_LEAST 48u

/* Where the three numbers are that _Py_GetAllocatedBlocks() reads. */
struct python_place {
	addr_t larger, count, table;
};

struct python_type {
	struct python_kind kind;
	uint64_t basic, item;
};

struct counting {
	struct reader *memory;
	struct census *census;
	struct arena arena;
	addr_t type_type; /* PyType_Type */
	struct map
		/* address -> struct python_type, whose kind has no row if no
		 * type is there */
		types;
	struct census_row *all_parts;
	struct python_parts parts;
	struct python_texts texts;
	uint8_t *copy; /* copy of an arena */
};

/* ---- types -----------------------------------------------------------------
 */

static bool
is_type_of_types(struct counting *counting, addr_t at)
{
	uint64_t flags;

	return at == counting->type_type ||
	       (at % sizeof(addr_t) == 0 &&
		reader_u64(counting->memory, at + TYPE_FLAGS, &flags) == 0 &&
		(flags & FLAG_TYPE) && (flags & FLAG_READY));
}

/* Notes what is known of the blocks of the type's objects. */
static void
read_kind(struct counting *counting, addr_t at, struct python_type *type)
{
	addr_t base = at;

	for (unsigned i = 0; i < BASES_MOST && base != 0; i++) {
		python_parts_base(&counting->parts, base, &type->kind);
		if (reader_u64(counting->memory, base + TYPE_BASE, &base) < 0)
			break;
	}
}

/* Reads the type at that address, if it is one. */
static void
read_type(struct counting *counting, addr_t at, struct python_type *type)
{
	uint8_t bytes[TYPE_READ];
	char name[TYPE_NAME_MOST];

	if (at % sizeof(addr_t) != 0 ||
	    reader_read(counting->memory, at, bytes, sizeof(bytes)) < 0)
		return;
	type->kind.flags = word64(bytes, TYPE_FLAGS);
	type->basic = word64(bytes, TYPE_BASIC);
	type->item = word64(bytes, TYPE_ITEM);
	if (word64(bytes, 0) - 1 >= REFERENCES_MOST ||
	    !(type->kind.flags & FLAG_READY) || type->basic < GC_HEADER ||
	    type->basic > ARENA_SIZE || type->item > ARENA_SIZE ||
	    !is_type_of_types(counting, word64(bytes, sizeof(addr_t))))
		return;
	if (reader_cstr(counting->memory, word64(bytes, TYPE_NAME), name,
			sizeof(name), NULL) <= 0)
		return;
	type->kind.row = census_add(counting->census, at, name);
	read_kind(counting, at, type);
}

static const struct python_type *
type_at(struct counting *counting, addr_t at)
{
	struct python_type *type = map_get(&counting->types, at);

	if (!type) {
		type = arena_zalloc(&counting->arena, sizeof(*type));
		read_type(counting, at, type);
		map_put(&counting->types, at, type);
	}
	return type->kind.row ? type : NULL;
}

/* ---- blocks ----------------------------------------------------------------
 */

static bool
fits(const struct python_type *type, unsigned header, unsigned size)
{
	unsigned wanted = !(type->kind.flags & FLAG_GC)	    ? 0
			  : !(type->kind.flags & FLAG_DICT) ? GC_HEADER
							    : DICT_HEADER;

	if (header != wanted)
		return false;
	if (type->kind.flags & FLAG_TEXT)
		return header + TEXT_LEAST <= size;
	if (type->item > 0)
		return header + GC_HEADER <= size;
	return (header + type->basic + 15) / 16 * 16 == size;
}

/* The type of the object in the block, or NULL. */
static const struct python_type *
type_of(struct counting *counting, const uint8_t *block, unsigned size,
	const uint8_t **ret_object)
{
	static const unsigned headers[] = { 0, GC_HEADER, DICT_HEADER };

	for (unsigned i = 0; i < 3 && headers[i] + 16 <= size; i++) {
		const uint8_t *object = block + headers[i];
		const struct python_type *type;

		if (word64(object, 0) - 1 >= REFERENCES_MOST)
			continue;
		type = type_at(counting, word64(object, sizeof(addr_t)));
		if (type && fits(type, headers[i], size)) {
			*ret_object = object;
			return type;
		}
	}
	return NULL;
}

/* Adds the str in the block, or looks for longer ones to which it refers. */
static void
take_texts(struct counting *counting, const uint8_t *block, unsigned size,
	   const uint8_t *object, const struct python_type *type)
{
	if (type && (type->kind.flags & FLAG_TEXT) &&
	    !(type->kind.flags & FLAG_GC))
		python_texts_add(&counting->texts, block, size);
	else
		python_texts_look(&counting->texts, block, size, object,
				  type ? type->kind.flags : 0);
}

/* Counts the block at the address `at`. */
static void
count_block(struct counting *counting, const uint8_t *block, addr_t at,
	    unsigned size)
{
	const uint8_t *object = NULL;
	const struct python_type *type =
		type_of(counting, block, size, &object);

	census_count(counting->census,
		     type ? type->kind.row : counting->all_parts, 1, size);
	if (type)
		python_parts_claim(&counting->parts, &type->kind, object,
				   size - (size_t)(object - block),
				   object - block == DICT_HEADER ? block
								 : NULL);
	else
		python_parts_add_block(&counting->parts, at, size);
	if (counting->census->strings)
		take_texts(counting, block, size, object, type);
}

static void
count_pool(struct counting *counting, const uint8_t *copy, addr_t at,
	   const struct python_pool *pool)
{
	for (unsigned i = 0; i < pool->count; i++) {
		unsigned offset = python_pool_block(pool, i);

		if (!pool->unused[i])
			count_block(counting, copy + offset, at + offset,
				    pool->size);
	}
}

/* A pool that has changed while it was copied is copied again. */
static void
count_copied(struct counting *counting, addr_t at, uint8_t *copy)
{
	struct python_pool pool;
	int in_use = python_pool_read(copy, at, &pool);

	for (int i = 1; i < COPIES_MOST && in_use < 0; i++) {
		if (reader_read(counting->memory, at, copy, PYTHON_POOL_SIZE) <
		    0)
			break;
		in_use = python_pool_read(copy, at, &pool);
	}
	counting->census->pages++;
	if (in_use < 0)
		counting->census->torn++;
	else if (in_use > 0)
		count_pool(counting, copy, at, &pool);
	if (in_use > 0)
		counting->census->fragmented +=
			PYTHON_POOL_SIZE - (unsigned)in_use * pool.size;
}

/* ---- arenas ----------------------------------------------------------------
 */

/* Counts the objects in the pools from first up to end. An arena that cannot be
 * read was freed meanwhile. */
static int
count_arena(void *user, addr_t first, addr_t end)
{
	struct counting *counting = user;

	if (reader_read(counting->memory, first, counting->copy, end - first) <
	    0)
		return 0;
	counting->census->mapped += ARENA_SIZE;
	for (addr_t at = first; at + PYTHON_POOL_SIZE <= end;
	     at += PYTHON_POOL_SIZE)
		count_copied(counting, at, counting->copy + (at - first));
	return 0;
}

/* Visits the used pools of each arena: from first up to end. */
static int
walk_arenas(const uint8_t *table, uint32_t count,
	    int (*visit)(void *, addr_t, addr_t), void *user)
{
	int r = 0;

	for (uint32_t i = 0; i < count && r == 0; i++) {
		const uint8_t *entry = table + (size_t)i * ARENA_ENTRY;
		addr_t at = word64(entry, ARENA_ADDRESS);
		addr_t end = word64(entry, ARENA_NEVER_USED);
		addr_t first = (at + PYTHON_POOL_SIZE - 1) / PYTHON_POOL_SIZE *
			       PYTHON_POOL_SIZE;

		if (at == 0)
			continue;
		if (end < first || end > at + ARENA_SIZE ||
		    end % PYTHON_POOL_SIZE != 0)
			return -EIO;
		r = visit(user, first, end);
	}
	return r;
}

static int
note_arena(void *user, addr_t first, addr_t end)
{
	struct counting *counting = user;

	python_texts_arena(&counting->texts, first - first % PYTHON_POOL_SIZE,
			   end);
	return 0;
}

/* Reads what _Py_GetAllocatedBlocks() reads. Returns the table of arenas, which
 * the caller frees, or NULL. */
static uint8_t *
read_table(struct reader *memory, const struct python_place *place,
	   uint32_t *ret_count)
{
	uint32_t count;
	uint8_t *entries;
	addr_t table;

	if (reader_u32(memory, place->count, &count) < 0 ||
	    reader_u64(memory, place->table, &table) < 0 || count > ARENAS_MOST)
		return NULL;
	entries = xmalloc((size_t)count * ARENA_ENTRY + 1);
	if (reader_read(memory, table, entries, (size_t)count * ARENA_ENTRY) ==
	    0) {
		*ret_count = count;
		return entries;
	}
	free(entries);
	return NULL;
}

static int
count_all(struct counting *counting, const struct python_place *place,
	  const char *label, struct err *err)
{
	uint32_t count = 0;
	uint64_t larger;
	uint8_t *entries;
	int r = -EIO;

	if (reader_u64(counting->memory, place->larger, &larger) < 0)
		return err_set(err, -EIO, "%s: the heap of Python is not found",
			       label);
	snprintf(counting->census->not_counted,
		 sizeof(counting->census->not_counted),
		 "%" PRIu64 " blocks of more than 512 bytes", larger);
	counting->census->has_fragmented = true;
	entries = read_table(counting->memory, place, &count);
	if (entries && counting->census->strings)
		r = walk_arenas(entries, count, note_arena, counting);
	if (entries && (r == 0 || !counting->census->strings))
		r = walk_arenas(entries, count, count_arena, counting);
	free(entries);
	return r < 0 ? err_set(err, -EIO,
			       "%s: the heap of Python makes no sense", label)
		     : 0;
}

static int
check_version(struct binary *binary, struct reader *memory, struct err *err)
{
	addr_t at = binary_symbol(binary, "Py_Version");
	uint32_t version;

	if (!at || reader_u32(memory, at, &version) < 0)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of this version of Python is not "
			       "known to xtrace, only that of 3.11",
			       binary->label);
	if (version >> 16 != VERSION)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of Python %u.%u is not known to "
			       "xtrace, only that of 3.11",
			       binary->label, version >> 24,
			       version >> 16 & 0xff);
	return 0;
}

static int
find_place(struct binary *binary, struct reader *memory,
	   struct python_place *ret_place, struct err *err)
{
	addr_t blocks = binary_symbol(binary, "_Py_GetAllocatedBlocks");
	struct noted_reads noted = { .count = 0 };
	unsigned count;
	int r;

	if (!binary_symbol(binary, "PyEval_EvalCode") ||
	    !binary_symbol(binary, "PyType_Type"))
		return -ENOENT;
	r = check_version(binary, memory, err);
	if (r < 0)
		return r;
	/* _Py_GetAllocatedBlocks() reads all arenas, which may be more reads
	 * than are noted. So noted_reads_of() may fail: only the first reads
	 * are needed. */
	if (!blocks || (!noted_reads_of(&noted, binary->arch, memory, blocks) &&
			noted.count < READS))
		return err_set(err, -EIO, "%s: the heap of Python is not found",
			       binary->label);
	count = noted.lengths[READ_FIRST] == 4 ? READ_FIRST : READ_SECOND;
	if (noted.lengths[count] != 4 || noted.lengths[1 - count] != 8)
		return err_set(err, -EIO, "%s: the heap of Python is not found",
			       binary->label);
	*ret_place = (struct python_place){ .larger = noted.at[1 - count],
					    .count = noted.at[count],
					    .table = noted.at[READ_TABLE] };
	return 0;
}

static int
copy_arena(void *user, addr_t first, addr_t end)
{
	return heap_copy_add(user, first, end - first);
}

/* Copies the arenas, and what leads to them. */
static int
copy_all(struct heap_copy *copy, const struct python_place *place)
{
	uint32_t count = 0;
	uint8_t *entries = read_table(copy->memory, place, &count);
	addr_t table;
	int r = -EIO;

	if (entries)
		r = walk_arenas(entries, count, copy_arena, copy);
	free(entries);
	if (r == 0)
		r = heap_copy_add(copy, place->larger, sizeof(uint64_t));
	if (r == 0)
		r = heap_copy_add(copy, place->count, sizeof(uint32_t));
	if (r == 0)
		r = heap_copy_add(copy, place->table, sizeof(addr_t));
	if (r == 0)
		r = reader_u64(copy->memory, place->table, &table);
	if (r == 0)
		r = heap_copy_add(copy, table, (size_t)count * ARENA_ENTRY);
	return r;
}

int
python_heap_copy(struct binary *binary, struct heap_copy *copy, struct err *err)
{
	struct python_place place;
	int r = find_place(binary, copy->memory, &place, err);

	if (r < 0)
		return r;
	return heap_copied(copy_all(copy, &place), binary, "Python", err);
}

int
python_heap_count(struct binary *binary, struct reader *memory,
		  struct census *census, struct err *err)
{
	struct counting counting = {
		.memory = memory,
		.census = census,
		.type_type = binary_symbol(binary, "PyType_Type"),
	};
	struct python_place place;
	int r = find_place(binary, memory, &place, err);

	if (r < 0)
		return r;
	arena_init(&counting.arena);
	map_init(&counting.types);
	counting.all_parts = census_add(census, 0, "(parts of objects)");
	python_parts_init(&counting.parts, binary);
	counting.copy = xmalloc(ARENA_SIZE);
	python_texts_init(&counting.texts, binary, memory, census->strings);
	r = count_all(&counting, &place, binary->label, err);
	if (r == 0)
		python_parts_give(&counting.parts, census, counting.all_parts);
	python_parts_release(&counting.parts);
	python_texts_release(&counting.texts);
	free(counting.copy);
	map_release(&counting.types);
	arena_release(&counting.arena);
	return r;
}
