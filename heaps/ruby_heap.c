/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rb_gc_count() is exported, and its code tells where the heap (objspace) is,
 * and that its layout is the known one: the count of collections is at 0x1b8.
 * The heap has a list of its pages, sorted by address (gc.c, struct heap_page):
 *
 *	 0	bytes of an RVALUE, 16 bits
 *	 2	number of RVALUEs, 16 bits
 *	32	address of the first RVALUE
 *	120	a bit for each 40 bytes of the page: the last collection has
 *		found the object in use (mark_bits)
 *
 * An RVALUE has flags, with the type, and the class. Each RVALUE is judged
 * alone, so it does not matter that the program runs meanwhile. Objects that
 * are not used any more are RVALUEs like others until they are swept.
 */
#include "heaps/ruby_heap.h"

#include "base/xmalloc.h"
#include "heaps/census_strings.h"
#include "heaps/ruby_class.h"
#include "heaps/words.h"
#include "stacks/noted_reads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The reads of rb_gc_count(): the address of the pointer to the VM, the
 * pointer, the VM's pointer to the heap, and the count. */
enum { READ_GOT, READ_VM, READ_HEAP, READ_COUNT, READS };

#define HEAP_COUNT 0x1b8
/* The flags of the heap: bits 0 and 1 are 1 while the collector marks, and the
 * bits of the pages are useless then. Bit 5 is set while it collects. */
#define HEAP_FLAGS 0x10
#define FLAGS_MODE 3u
#define MODE_MARKS 1u
#define FLAG_COLLECTS (1u << 5)
#define HEAP_PAGES 0x100
#define HEAP_PAGES_NUMBER 0x108
#define PAGES_MOST 4194304u /* 64 GiB */

#define PAGE_RVALUE_SIZE 0
#define PAGE_RVALUES 2
#define PAGE_FIRST 32
#define PAGE_MARKS 120
#define MARK_WORDS 7u
#define MARK_UNIT 40u
#define PAGE_READ (PAGE_MARKS + 8 * MARK_WORDS)
#define PAGE_SIZE_OF_ALL 16384u

#define RVALUE_LEAST 40u
#define RVALUE_CLASS 8
#define TYPE_MASK 0x1f

enum rvalue_type {
	RVALUE_NONE = 0x00,
	RVALUE_OBJECT = 0x01,
	RVALUE_STRING = 0x05,
	RVALUE_ARRAY = 0x07,
	RVALUE_ZOMBIE = 0x1d,
	RVALUE_MOVED = 0x1e,
};

/* FLAG_1: a string is not embedded; an array or an object is embedded. FLAG_2:
 * the memory belongs to another object. */
#define FLAG_1 (UINT64_C(1) << 13)
#define FLAG_2 (UINT64_C(1) << 14)
#define STRING_ROOM 32
/* The length and the address of a string that is not embedded. An embedded
 * string begins in the place of the length, and its length is in its flags. */
#define STRING_LENGTH 16
#define STRING_TEXT 24
#define EMBEDDED_LENGTH(flags) ((flags) >> 14 & 0x1f)
#define ARRAY_ROOM 24
#define OBJECT_ROOM 16 /* offset of a number of 32 bits */
#define ROOM_MOST (UINT64_C(1) << 40)

struct ruby_count {
	struct reader *memory;
	struct census *census;
	struct ruby_classes classes;
	struct map rows; /* the class in an RVALUE -> row */
	struct census_row *no_class[TYPE_MASK + 1];
	uint8_t page[PAGE_SIZE_OF_ALL];
};

/* ---- rows ------------------------------------------------------------------
 */

/* Names of the types, as ObjectSpace.count_objects has them. */
static const char *const type_names[TYPE_MASK + 1] = {
	[0x01] = "T_OBJECT", [0x02] = "T_CLASS",   [0x03] = "T_MODULE",
	[0x04] = "T_FLOAT",  [0x05] = "T_STRING",  [0x06] = "T_REGEXP",
	[0x07] = "T_ARRAY",  [0x08] = "T_HASH",	   [0x09] = "T_STRUCT",
	[0x0a] = "T_BIGNUM", [0x0b] = "T_FILE",	   [0x0c] = "T_DATA",
	[0x0d] = "T_MATCH",  [0x0e] = "T_COMPLEX", [0x0f] = "T_RATIONAL",
	[0x14] = "T_SYMBOL", [0x1a] = "T_IMEMO",   [0x1b] = "T_NODE",
	[0x1c] = "T_ICLASS",
};

/* The row for objects of the interpreter of this type, which have no class. */
static struct census_row *
row_of_type(struct ruby_count *count, unsigned type)
{
	const char *name = type_names[type] ? type_names[type] : "unknown";
	char text[32];

	if (!count->no_class[type]) {
		snprintf(text, sizeof(text), "(%s)", name);
		count->no_class[type] = census_add(count->census, type, text);
	}
	return count->no_class[type];
}

static struct census_row *
row_of_class(struct ruby_count *count, addr_t class, unsigned type)
{
	struct census_row *row = map_get(&count->rows, class);
	char name[RUBY_CLASS_NAME_MOST];
	addr_t real;

	if (row)
		return row;
	real = ruby_class_real(&count->classes, class);
	row = real ? census_row(count->census, real) : row_of_type(count, type);
	if (!row) {
		ruby_class_name(&count->classes, real, name, sizeof(name));
		row = census_add(count->census, real, name);
	}
	map_put(&count->rows, class, row);
	return row;
}

/* ---- RVALUEs ---------------------------------------------------------------
 */

/* The bytes that the object has besides its RVALUE. */
static uint64_t
bytes_beside(const uint8_t *rvalue, enum rvalue_type type)
{
	uint64_t flags = word64(rvalue, 0), room = 0;

	if (type == RVALUE_STRING && (flags & FLAG_1) && !(flags & FLAG_2))
		room = word64(rvalue, STRING_ROOM);
	else if (type == RVALUE_ARRAY && !(flags & FLAG_1) && !(flags & FLAG_2))
		room = word64(rvalue, ARRAY_ROOM) * 8;
	else if (type == RVALUE_OBJECT && !(flags & FLAG_1))
		room = (word64(rvalue, OBJECT_ROOM) & UINT32_MAX) * 8;
	return room < ROOM_MOST ? room : 0;
}

/* Are both RVALUEs the same string? A collection changes other flags. */
static bool
same_string(const uint8_t *a, const uint8_t *b)
{
	return ((word64(a, 0) ^ word64(b, 0)) & (TYPE_MASK | FLAG_1)) == 0 &&
	       word64(a, RVALUE_CLASS) == word64(b, RVALUE_CLASS) &&
	       word64(a, STRING_LENGTH) == word64(b, STRING_LENGTH) &&
	       word64(a, STRING_TEXT) == word64(b, STRING_TEXT);
}

/* Reads the beginning of a string that is not embedded. False if the string was
 * changed or freed meanwhile: then the content of its RVALUE is another one. */
static bool
read_text(struct ruby_count *count, const uint8_t *rvalue, addr_t at,
	  uint8_t *text, size_t shown)
{
	struct reader *memory = count->census->strings->memory;
	uint8_t now[RVALUE_LEAST];

	return (shown == 0 || reader_read(memory, word64(rvalue, STRING_TEXT),
					  text, shown) == 0) &&
	       reader_read(memory, at, now, sizeof(now)) == 0 &&
	       same_string(now, rvalue);
}

static void
take_text(struct ruby_count *count, const uint8_t *rvalue, addr_t at,
	  uint64_t bytes)
{
	uint64_t flags = word64(rvalue, 0);
	bool embedded = !(flags & FLAG_1);
	uint64_t length = embedded ? EMBEDDED_LENGTH(flags)
				   : word64(rvalue, STRING_LENGTH);
	uint8_t begin[CENSUS_STRING_SHOWN];
	const struct census_text text = census_text_of(begin, length);

	if (embedded && length > RVALUE_LEAST - STRING_LENGTH)
		return;
	if (embedded)
		memcpy(begin, rvalue + STRING_LENGTH, text.shown);
	if (embedded || read_text(count, rvalue, at, begin, text.shown))
		census_strings_add(count->census->strings, &text, bytes);
	else
		count->census->strings->changed++;
}

/* Counts the RVALUE at the address `at`. False if it has no object. */
static bool
count_rvalue(struct ruby_count *count, const uint8_t *rvalue, addr_t at,
	     unsigned size, bool survived)
{
	unsigned type = (unsigned)(word64(rvalue, 0) & TYPE_MASK);
	addr_t class = word64(rvalue, RVALUE_CLASS);
	uint64_t beside = bytes_beside(rvalue, (enum rvalue_type)type);
	struct census_row *row;

	if (type == RVALUE_NONE || type == RVALUE_ZOMBIE ||
	    type == RVALUE_MOVED)
		return false;
	/* T_IMEMO and T_NODE have other things in the place of a class. */
	row = class == 0 || type == 0x1a || type == 0x1b || type == 0x1c
		      ? row_of_type(count, type)
		      : row_of_class(count, class, type);
	count->census->mapped += beside;
	census_count(count->census, row, 1, size + beside);
	if (survived)
		census_survivor(count->census, row);
	if (type == RVALUE_STRING && count->census->strings)
		take_text(count, rvalue, at, size + beside);
	return true;
}

/* What the description of a page tells of its RVALUEs. */
struct ruby_page {
	addr_t first;
	unsigned size, number;
	uint64_t marks[MARK_WORDS];
};

static bool
is_marked(const struct ruby_page *page, unsigned number)
{
	addr_t at = page->first + (addr_t)number * page->size;
	unsigned bit = (unsigned)(at % PAGE_SIZE_OF_ALL / MARK_UNIT);

	return bit < MARK_WORDS * 64 && (page->marks[bit / 64] >> bit % 64 & 1);
}

/* Reads the description of a page. False if it makes no sense, because the page
 * was freed meanwhile. */
static bool
read_page(struct reader *memory, addr_t at, struct ruby_page *ret_page)
{
	uint8_t head[PAGE_READ];
	uint16_t size, number;

	if (reader_read(memory, at, head, sizeof(head)) < 0)
		return false;
	memcpy(&size, head + PAGE_RVALUE_SIZE, sizeof(size));
	memcpy(&number, head + PAGE_RVALUES, sizeof(number));
	*ret_page = (struct ruby_page){ .first = word64(head, PAGE_FIRST),
					.size = size,
					.number = number };
	memcpy(ret_page->marks, head + PAGE_MARKS, sizeof(ret_page->marks));
	return size >= RVALUE_LEAST && size % 8 == 0 &&
	       (uint32_t)size * number <= PAGE_SIZE_OF_ALL;
}

static bool
count_page(struct ruby_count *count, addr_t at)
{
	struct ruby_page page;
	unsigned used = 0;

	if (!read_page(count->memory, at, &page) ||
	    reader_read(count->memory, page.first, count->page,
			(size_t)page.size * page.number) < 0)
		return false;
	for (unsigned i = 0; i < page.number; i++)
		used += count_rvalue(count, count->page + (size_t)i * page.size,
				     page.first + (addr_t)i * page.size,
				     page.size, is_marked(&page, i));
	count->census->mapped += PAGE_SIZE_OF_ALL;
	if (used > 0)
		count->census->fragmented +=
			PAGE_SIZE_OF_ALL - used * page.size;
	return true;
}

/* Reads the list of pages, which the caller frees. NULL if there is none. */
static uint8_t *
read_pages(struct reader *memory, addr_t heap, uint64_t *ret_number)
{
	uint64_t number;
	uint8_t *pages;
	addr_t list;

	if (reader_u64(memory, heap + HEAP_PAGES, &list) < 0 ||
	    reader_u64(memory, heap + HEAP_PAGES_NUMBER, &number) < 0 ||
	    number == 0 || number > PAGES_MOST)
		return NULL;
	pages = xmalloc(number * sizeof(addr_t));
	if (reader_read(memory, list, pages, number * sizeof(addr_t)) == 0) {
		*ret_number = number;
		return pages;
	}
	free(pages);
	return NULL;
}

/* Do the bits of the pages tell what survived? If a collection begins while the
 * pages are read, they do not. */
static bool
tells_survivors(struct ruby_count *count, addr_t heap, uint64_t *ret_count)
{
	uint32_t flags;

	return reader_u32(count->memory, heap + HEAP_FLAGS, &flags) == 0 &&
	       !(flags & FLAG_COLLECTS) && (flags & FLAGS_MODE) != MODE_MARKS &&
	       reader_u64(count->memory, heap + HEAP_COUNT, ret_count) == 0 &&
	       *ret_count > 0;
}

static int
count_pages(struct ruby_count *count, addr_t heap, const char *label,
	    struct err *err)
{
	uint64_t number = 0, before, after;
	bool tells = tells_survivors(count, heap, &before);
	cleanup(freep) uint8_t *pages =
		read_pages(count->memory, heap, &number);

	count->census->pages = number;
	count->census->has_fragmented = true;
	for (uint64_t i = 0; i < number; i++)
		if (!count_page(count, word64(pages, i * sizeof(addr_t))))
			count->census->torn++;
	if (!pages || count->census->torn > number / 2)
		return err_set(err, -EIO, "%s: the heap of Ruby makes no sense",
			       label);
	count->census->has_survivors = tells &&
				       tells_survivors(count, heap, &after) &&
				       before == after;
	return 0;
}

/* The address of the heap, or 0. */
static addr_t
find_heap(struct binary *binary, struct reader *memory)
{
	addr_t entry = binary_symbol(binary, "rb_gc_count");
	struct noted_reads noted;
	addr_t heap;

	if (!entry || !noted_reads_of(&noted, binary->arch, memory, entry) ||
	    noted.count != READS ||
	    reader_u64(memory, noted.at[READ_HEAP], &heap) < 0 ||
	    noted.at[READ_COUNT] != heap + HEAP_COUNT)
		return 0;
	return heap;
}

static int
count_heap(struct ruby_count *count, struct binary *binary, struct err *err)
{
	addr_t heap = find_heap(binary, count->memory), object;

	if (!heap)
		return err_set(err, -EIO, "%s: the heap of Ruby is not found",
			       binary->label);
	if (reader_u64(count->memory, binary_symbol(binary, "rb_cObject"),
		       &object) < 0 ||
	    ruby_classes_init(&count->classes, count->memory, object) < 0)
		return err_set(err, -EIO,
			       "%s: the names of Ruby's classes are not found",
			       binary->label);
	return count_pages(count, heap, binary->label, err);
}

static int
check_version(struct binary *binary, struct reader *memory, struct err *err)
{
	addr_t at = binary_symbol(binary, "ruby_version");
	char version[16] = "";

	if (!at || !binary_symbol(binary, "rb_cObject"))
		return -ENOENT;
	if (reader_cstr(memory, at, version, sizeof(version), NULL) <= 0 ||
	    strncmp(version, "3.1.", 4) != 0)
		return err_set(err, -ENOTSUP,
			       "%s: the heap of Ruby %.*s is not known to "
			       "xtrace, only that of 3.1",
			       binary->label,
			       (int)strspn(version, "0123456789."), version);
	return 0;
}

/* Notes the strings of the page that was copied last, unless they are
 * embedded. */
static void
want_texts(struct heap_copy *copy, const struct ruby_page *page)
{
	const uint8_t *rvalue = heap_copy_last(copy);

	for (unsigned i = 0; i < page->number; i++, rvalue += page->size) {
		uint64_t flags = word64(rvalue, 0);
		uint64_t length = word64(rvalue, STRING_LENGTH);

		if ((flags & TYPE_MASK) == RVALUE_STRING && (flags & FLAG_1))
			heap_copy_want(copy, word64(rvalue, STRING_TEXT),
				       census_text_of(NULL, length).shown);
	}
}

/* Copies the list of pages, and the pages. */
static int
copy_pages(struct heap_copy *copy, addr_t heap)
{
	uint64_t number = 0;
	cleanup(freep) uint8_t *pages = read_pages(copy->memory, heap, &number);
	addr_t list;
	int r = pages ? heap_copy_add(copy, heap, HEAP_COUNT + 8) : -EIO;

	if (r == 0)
		r = reader_u64(copy->memory, heap + HEAP_PAGES, &list);
	if (r == 0)
		r = heap_copy_add(copy, list, number * sizeof(addr_t));
	for (uint64_t i = 0; i < number && r == 0; i++) {
		addr_t at = word64(pages, i * sizeof(addr_t));
		struct ruby_page page;

		if (!read_page(copy->memory, at, &page))
			return -EIO;
		r = heap_copy_add(copy, at, PAGE_READ);
		if (r == 0)
			r = heap_copy_add(copy, page.first,
					  (size_t)page.size * page.number);
		if (r == 0 && copy->strings)
			want_texts(copy, &page);
	}
	return r == 0 ? heap_copy_wanted(copy) : r;
}

int
ruby_heap_copy(struct binary *binary, struct heap_copy *copy, struct err *err)
{
	int r = check_version(binary, copy->memory, err);
	addr_t heap;

	if (r < 0)
		return r;
	heap = find_heap(binary, copy->memory);
	if (!heap)
		return err_set(err, -EIO, "%s: the heap of Ruby is not found",
			       binary->label);
	return heap_copied(copy_pages(copy, heap), binary, "Ruby", err);
}

int
ruby_heap_count(struct binary *binary, struct reader *memory,
		struct census *census, struct err *err)
{
	int r = check_version(binary, memory, err);
	struct ruby_count *count;

	if (r < 0)
		return r;
	count = xcalloc(1, sizeof(*count));
	count->memory = memory;
	count->census = census;
	map_init(&count->rows);
	r = count_heap(count, binary, err);
	map_release(&count->rows);
	free(count);
	return r;
}
