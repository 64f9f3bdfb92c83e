/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * zend_mm_get_heap() is exported, and its code tells where the heap is. The
 * table of all objects is in executor_globals (Zend/zend_objects_API.h): an
 * entry has the address of an object, whose own number is that of the entry;
 * the address of a free entry is odd.
 *
 *	object:	4 type 8, 8 number, 16 class { 8 name }
 *	string: 4 type 6, 16 length, 24 its bytes and a NUL
 *	array:	4 type 7, 12 mask, 16 elements, 24 used, 32 room
 *
 * The table of an array's elements begins with -mask numbers of 32 bits before
 * the first element, and is a block of its own. What is in no such block is
 * code, and memory of PHP itself.
 */
#include "heaps/php_heap.h"

#include "heaps/census_strings.h"
#include "heaps/php_chunks.h"
#include "heaps/words.h"
#include "stacks/noted_reads.h"

#include <errno.h>

/* ZEND_MODULE_API_NO of 8.2 */
#define API 20220829u

/* Offsets in the registry of modules, which is a hash (TABLE_BUCKETS), and in
 * the entry of a module. */
#define TABLE_BUCKETS 16
#define MODULE_API 4
#define MODULE_THREADS 9

#define STORE 840 /* executor_globals.objects_store */
#define STORE_TOP 8
#define STORE_READ 16
#define OBJECTS_MOST (UINT32_C(1) << 28)

#define TYPE 4
#define TYPE_MASK 0xfu
#define TYPE_STRING 6u
#define TYPE_ARRAY 7u
#define TYPE_OBJECT 8u

#define OBJECT_NUMBER 8
#define OBJECT_CLASS 16
#define OBJECT_READ 24
#define CLASS_NAME 8
#define CLASS_NAME_MOST 256u

#define STRING_LENGTH 16
#define STRING_TEXT 24
#define STRING_ROUNDED 32

#define ARRAY_MASK 12
#define ARRAY_ELEMENTS 16
#define ARRAY_USED 24
#define ARRAY_ROOM 32
#define ARRAY_SIZE 56u

/* Keys of rows for memory that is of no class. */
enum { ROW_ARRAYS = 1, ROW_STRINGS, ROW_OTHER };

struct php_count {
	struct reader *memory;
	struct census *census;
	struct php_chunks chunks;
	struct census_row *arrays, *strings, *other;
};

/* ---- where the heap is -----------------------------------------------------
 */

static int
check_version(struct binary *binary, struct reader *memory, struct err *err)
{
	addr_t registry = binary_symbol(binary, "module_registry"), bucket,
	       module;
	uint8_t head[MODULE_THREADS + 1];

	if (reader_u64(memory, registry + TABLE_BUCKETS, &bucket) < 0 ||
	    reader_u64(memory, bucket, &module) < 0 ||
	    reader_read(memory, module, head, sizeof(head)) < 0)
		return err_set(err, -EIO, "%s: the heap of PHP is not found",
			       binary->label);
	if (head[MODULE_THREADS])
		return err_set(err, -ENOTSUP,
			       "%s: the heap of PHP that is made for threads "
			       "(ZTS) is not known to xtrace",
			       binary->label);
	if (word32(head, MODULE_API) != API)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of PHP with the interface of %u "
			       "is not known to xtrace, only that of 8.2 (%u)",
			       binary->label, word32(head, MODULE_API), API);
	return 0;
}

/* Finds the heap. Returns -EIO, too, if PHP has no heap yet. */
static int
find_heap(struct binary *binary, struct reader *memory, addr_t *ret_heap,
	  struct err *err)
{
	addr_t entry = binary_symbol(binary, "zend_mm_get_heap");
	struct noted_reads noted;
	uint32_t custom;
	addr_t heap;
	int r;

	if (!binary_symbol(binary, "module_registry") ||
	    !binary_symbol(binary, "execute_ex"))
		return -ENOENT;
	r = check_version(binary, memory, err);
	if (r < 0)
		return r;
	if (!entry || !binary_symbol(binary, "executor_globals") ||
	    !noted_reads_of(&noted, binary->arch, memory, entry) ||
	    reader_u64(memory, noted.at[noted.count - 1], &heap) < 0 ||
	    reader_u32(memory, heap, &custom) < 0)
		return err_set(err, -EIO, "%s: the heap of PHP is not found",
			       binary->label);
	if (custom != 0)
		return err_set(err, -ENOTSUP,
			       "%s: PHP does not use its own allocator "
			       "(USE_ZEND_ALLOC), so its objects cannot be "
			       "found",
			       binary->label);
	*ret_heap = heap;
	return 0;
}

/* ---- copying ---------------------------------------------------------------
 */

static int
copy_objects(struct heap_copy *copy, addr_t store)
{
	uint8_t head[STORE_READ];
	uint32_t top;
	int r = heap_copy_add(copy, store, sizeof(head));

	if (r == 0)
		r = reader_read(&copy->reader, store, head, sizeof(head));
	if (r < 0)
		return r;
	top = word32(head, STORE_TOP);
	if (top > OBJECTS_MOST)
		return -EIO;
	return heap_copy_need(copy, word64(head, 0), (size_t)top * 8);
}

int
php_heap_copy(struct binary *binary, struct heap_copy *copy, struct err *err)
{
	addr_t heap;
	int r = find_heap(binary, copy->memory, &heap, err);

	if (r < 0)
		return r;
	r = php_chunks_copy(copy, heap);
	if (r == 0)
		r = copy_objects(copy,
				 binary_symbol(binary, "executor_globals") +
					 STORE);
	return heap_copied(r, binary, "PHP", err);
}

/* ---- objects ---------------------------------------------------------------
 */

/* The row of a class, or NULL if there is no class at that address. */
static struct census_row *
row_of_class(struct php_count *count, addr_t class)
{
	struct census_row *row = census_row(count->census, class);
	char name[CLASS_NAME_MOST];
	uint64_t length;
	addr_t string;

	if (row)
		return row;
	if (class < ADDR_PAGE ||
	    reader_u64(count->memory, class + CLASS_NAME, &string) < 0 ||
	    reader_u64(count->memory, string + STRING_LENGTH, &length) < 0)
		return NULL;
	if (length >= sizeof(name))
		length = sizeof(name) - 1;
	if (length == 0 ||
	    reader_read(count->memory, string + STRING_TEXT, name, length) < 0)
		return NULL;
	name[length] = '\0';
	return census_add(count->census, class, name);
}

static int
count_object(struct php_count *count, addr_t at, uint32_t number)
{
	struct php_block block = { 0 };
	uint8_t object[OBJECT_READ];
	struct census_row *row;

	if (reader_read(count->memory, at, object, sizeof(object)) < 0 ||
	    (word32(object, TYPE) & TYPE_MASK) != TYPE_OBJECT ||
	    word32(object, OBJECT_NUMBER) != number)
		return -EIO;
	row = row_of_class(count, word64(object, OBJECT_CLASS));
	if (!row)
		return -EIO;
	/* An extension may have put the object into memory of its own; then its
	 * size is not known. */
	if (!php_chunks_take(&count->chunks, at, &block))
		block.size = 0;
	census_count(count->census, row, 1, block.size);
	return 0;
}

/* Counts the objects in the table of all objects, whose first entry is not
 * used. */
static int
count_objects(struct php_count *count, addr_t store)
{
	uint8_t head[STORE_READ];
	uint32_t top;
	int r = 0;

	if (reader_read(count->memory, store, head, sizeof(head)) < 0)
		return -EIO;
	top = word32(head, STORE_TOP);
	if (top > OBJECTS_MOST)
		return -EIO;
	for (uint32_t i = 1; i < top && r == 0; i++) {
		addr_t at;

		if (reader_u64(count->memory, word64(head, 0) + 8 * (addr_t)i,
			       &at) < 0)
			return -EIO;
		if (!(at & 1))
			r = count_object(count, at, i);
	}
	return r;
}

/* ---- other blocks ----------------------------------------------------------
 */

/* The address of the table of the array's elements; 0 if it is no array. */
static addr_t
table_of(const uint8_t *array)
{
	uint32_t before = -word32(array, ARRAY_MASK);
	uint32_t room = word32(array, ARRAY_ROOM);

	if ((word32(array, TYPE) & TYPE_MASK) != TYPE_ARRAY || before < 2 ||
	    (before & (before - 1)) != 0 || room < 2 ||
	    (room & (room - 1)) != 0 || word32(array, ARRAY_USED) > room)
		return 0;
	return word64(array, ARRAY_ELEMENTS) - 4 * (addr_t)before;
}

static void
count_arrays(struct php_count *count)
{
	struct php_cursor cursor = { 0 };
	struct php_block block, table;

	while (php_chunks_next(&count->chunks, &cursor, &block)) {
		uint8_t array[ARRAY_SIZE];
		addr_t at;

		if (block.size != ARRAY_SIZE ||
		    reader_read(count->memory, block.at, array, sizeof(array)) <
			    0)
			continue;
		at = table_of(array);
		if (!at || !php_chunks_take(&count->chunks, block.at, &block))
			continue;
		census_count(count->census, count->arrays, 1, block.size);
		/* All empty arrays share a table that is not in the heap. */
		if (php_chunks_take(&count->chunks, at, &table))
			census_count(count->census, count->arrays, 0,
				     table.size);
	}
}

/* Can the block have been allocated for a string of this length? Most functions
 * of PHP round up the size of the header, the characters and the NUL together.
 * zend_string_safe_alloc() rounds up only the size of the header and the
 * NUL. */
static bool
fills(uint64_t length, const struct php_block *block)
{
	return php_block_for(STRING_TEXT + length + 1) == block->size ||
	       php_block_for(STRING_ROUNDED + length) == block->size;
}

/*
 * Is there a string in the block? It has the size of the block, and a NUL at
 * its end. PHP has a single empty string, so a block with a length of 0 has no
 * string.
 */
static bool
is_string(struct php_count *count, const struct php_block *block,
	  uint64_t *ret_length)
{
	uint8_t head[STRING_TEXT], last = 1;
	uint64_t length;
	bool ends;

	if (block->size <= STRING_TEXT ||
	    reader_read(count->memory, block->at, head, sizeof(head)) < 0 ||
	    (word32(head, TYPE) & TYPE_MASK) != TYPE_STRING)
		return false;
	length = word64(head, STRING_LENGTH);
	ends = length > 0 && length < block->size && fills(length, block) &&
	       reader_read(count->memory, block->at + STRING_TEXT + length,
			   &last, 1) == 0 &&
	       last == 0;
	if (ends)
		*ret_length = length;
	return ends;
}

/* Adds the string in the block. The copy has the beginning of each block, so
 * the characters are read there. */
static void
take_text(struct php_count *count, const struct php_block *block,
	  uint64_t length)
{
	struct census_strings *strings = count->census->strings;
	uint8_t bytes[CENSUS_STRING_SHOWN];
	const struct census_text text = census_text_of(bytes, length);

	if (!strings)
		return;
	if (reader_read(count->memory, block->at + STRING_TEXT, bytes,
			text.shown) == 0)
		census_strings_add(strings, &text, block->size);
	else
		strings->changed++;
}

static void
count_rest(struct php_count *count)
{
	struct php_cursor cursor = { 0 };
	struct php_block block;

	while (php_chunks_next(&count->chunks, &cursor, &block)) {
		uint64_t length = 0;
		bool string = is_string(count, &block, &length);

		census_count(count->census,
			     string ? count->strings : count->other, 1,
			     block.size);
		if (string)
			take_text(count, &block, length);
	}
}

int
php_heap_count(struct binary *binary, struct reader *memory,
	       struct census *census, struct err *err)
{
	struct php_count count = { .memory = memory, .census = census };
	addr_t heap;
	int r = find_heap(binary, memory, &heap, err);

	if (r < 0)
		return r;
	count.arrays = census_add(census, ROW_ARRAYS, "array");
	count.strings = census_add(census, ROW_STRINGS, "string");
	count.other = census_add(census, ROW_OTHER, "(other memory)");
	r = php_chunks_read(&count.chunks, memory, heap);
	if (r == 0) {
		census->fragmented = php_chunks_fragmented(&count.chunks);
		census->has_fragmented = true;
		r = count_objects(&count,
				  binary_symbol(binary, "executor_globals") +
					  STORE);
	}
	if (r == 0) {
		count_arrays(&count);
		count_rest(&count);
		census->mapped = count.chunks.mapped;
		census->pages = count.chunks.chunks.count;
	}
	php_chunks_release(&count.chunks);
	return r < 0 ? err_set(err, -EAGAIN,
			       "%s: the heap of PHP makes no sense",
			       binary->label)
		     : 0;
}
