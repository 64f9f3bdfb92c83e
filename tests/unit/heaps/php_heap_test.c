/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small heap of PHP, made by hand: a chunk with objects of two classes,
 * strings, arrays with and without a table, a large block, a huge one, and free
 * blocks. Then each of its bytes is damaged in turn.
 */
#include "arch/arch.h"
#include "heaps/census_strings.h"
#include "heaps/php_heap.h"
#include "tests/unit/heaps/rows.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

#include <stdlib.h>

#define CHUNK (UINT64_C(2) << 20)
#define PAGE 4096u
#define PAGES_USED 12u
#define SMALL(bin) (0x80000000u | (bin))
#define INNER(bin, n) (0xc0000000u | (bin) | (uint32_t)(n) << 16)
#define LARGE(n) (0x40000000u | (n))
#define STORE 840
/* The runs of blocks: 51 of 80 bytes, 73 of 56, 128 of 32, 64 of 320. */
#define SMALL_BYTES (51 * 80 + 73 * 56 + 128 * 32 + 64 * 320)

struct php_image {
	struct binary binary;
	struct reader reader;
	struct image_memory words; /* memory outside of the chunk */
	uint8_t *memory;
	addr_t chunk, heap, free_small;
	addr_t huge; /* a huge block: its first 96 bytes are in `words` */
	uint8_t huge_end[2 * PAGE];
	addr_t globals, registry, code;
	unsigned objects;
};

static addr_t
symbol(struct binary *binary, const char *name)
{
	const struct php_image *image =
		container_of(binary, struct php_image, binary);

	if (strcmp(name, "executor_globals") == 0)
		return image->globals;
	if (strcmp(name, "module_registry") == 0)
		return image->registry;
	if (strcmp(name, "execute_ex") == 0)
		return image->registry;
	return strcmp(name, "zend_mm_get_heap") == 0 ? image->code : 0;
}

/* Reads the used pages of the chunk, the end of the huge block, or the memory
 * outside of them. */
static int
read_image(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct php_image *image =
		container_of(reader, struct php_image, reader);
	addr_t end = image->huge + CHUNK;

	if (from < end && from >= end - sizeof(image->huge_end) &&
	    length <= end - from) {
		memcpy(to,
		       image->huge_end + sizeof(image->huge_end) - (end - from),
		       length);
		return 0;
	}
	if (from - image->chunk > PAGES_USED * PAGE ||
	    PAGES_USED * PAGE - (from - image->chunk) < length)
		return reader_read(&image->words.reader, from, to, length);
	memcpy(to, (void *)from, length);
	return 0;
}

static void
put32(addr_t at, uint32_t word)
{
	memcpy((void *)at, &word, sizeof(word));
}

static void
put_run(struct php_image *image, unsigned page, uint32_t info)
{
	uint8_t *used = (uint8_t *)image->chunk + 480 + page / 8;

	*used |= (uint8_t)(1 << page % 8);
	put32(image->chunk + 544 + 4 * (addr_t)page, info);
}

static addr_t
page_at(const struct php_image *image, unsigned page)
{
	return image->chunk + (addr_t)page * PAGE;
}

/* Frees all blocks of a run except the first `kept` blocks. */
static void
put_free(struct php_image *image, unsigned bin, unsigned page, unsigned size,
	 unsigned count, unsigned kept)
{
	addr_t next = 0;

	for (unsigned i = count; i-- > kept;) {
		addr_t at = page_at(image, page) + i * (addr_t)size;

		image_put(at, next);
		next = at;
		image->free_small += size;
	}
	image_put(image->heap + 32 + 8 * (addr_t)bin, next);
}

static void
put_string(addr_t at, const char *text)
{
	put32(at + 4, 0x16);
	image_put(at + 16, strlen(text));
	strcpy((char *)at + 24, text);
}

static addr_t
make_class(struct php_image *image, const char *name)
{
	addr_t class = image_room(&image->words, 16);
	addr_t string = image_room(&image->words, 64);

	put_string(string, name);
	image_put(class + 8, string);
	return class;
}

static void
put_object(struct php_image *image, addr_t table, addr_t class)
{
	addr_t at = page_at(image, 1) + image->objects * 80;

	image->objects++;
	put32(at + 4, 8);
	put32(at + 8, image->objects);
	image_put(at + 16, class);
	image_put(table + 8 * (addr_t)image->objects, at);
}

static void
put_array(struct php_image *image, unsigned number, addr_t table, int mask)
{
	addr_t at = page_at(image, 2) + number * 56;

	put32(at + 4, 7);
	put32(at + 12, (uint32_t)-mask);
	image_put(at + 16, table + 4 * (addr_t)mask);
	put32(at + 24, 3);
	put32(at + 32, 8);
}

static void
make_chunk(struct php_image *image)
{
	static const uint32_t runs[PAGES_USED] = {
		LARGE(1),     SMALL(8),	    SMALL(6),	  SMALL(3),
		LARGE(3),     LARGE(0),	    LARGE(0),	  SMALL(16),
		INNER(16, 1), INNER(16, 2), INNER(16, 3), INNER(16, 4),
	};

	image->memory = calloc(2, CHUNK);
	image->chunk = ((addr_t)image->memory + CHUNK - 1) & ~(CHUNK - 1);
	image->heap = image->chunk + 64;
	image_put(image->chunk, image->heap);
	image_put(image->chunk + 8, image->chunk);
	put32(image->chunk + 28, PAGES_USED);
	for (unsigned i = 0; i < PAGES_USED; i++)
		put_run(image, i, runs[i]);
	put_free(image, 8, 1, 80, 51, 6);
	put_free(image, 6, 2, 56, 73, 3);
	put_free(image, 3, 3, 32, 128, 3);
	put_free(image, 16, 7, 320, 64, 2);
	image_put(image->heap + 328, image->chunk);
	put32(image->heap + 344, 1);
	image_put(image->heap + 272, 2 * CHUNK);
}

/* A huge block of 2 MiB, described by the first block of 32 bytes. */
static void
put_huge(struct php_image *image)
{
	addr_t node = page_at(image, 3);

	image_put(image->heap + 320, node);
	/* xtrace copies the first 96 bytes of a huge block. */
	image->huge = image_room(&image->words, 96);
	image_put(node, image->huge);
	image_put(node + 8, CHUNK);
}

static void
make_objects(struct php_image *image)
{
	addr_t table = page_at(image, 4);
	addr_t first = make_class(image, "First"), other;

	other = make_class(image, "A\\Second");
	for (unsigned i = 0; i < 4; i++)
		put_object(image, table, i < 3 ? first : other);
	image_put(table + 8 * 5, 7 << 1 | 1); /* a free entry */
	image_put(image->globals + STORE, table);
	put32(image->globals + STORE + 8, 6);
	/* Array 0 has a table of its own, array 1 shares the table of all empty
	 * arrays, and the next block has a text instead. */
	put_array(image, 0, page_at(image, 7), 8);
	put_array(image, 1, image_room(&image->words, 16), 2);
	put_string(page_at(image, 3) + 32, "text");
	/* An address whose upper half looks like the type of a string. */
	image_put(page_at(image, 3) + 64, UINT64_C(0x7f1612345678));
	put_huge(image);
	image_put(image->heap + 16,
		  SMALL_BYTES - image->free_small + 3 * PAGE + CHUNK);
}

static void
make_image(struct php_image *image)
{
	static const uint8_t load[] = { 0x48, 0x8b, 0x05 };
	struct image_memory *words = &image->words;
	addr_t variable, module, bucket;
	int32_t distance;

	memset(image, 0, sizeof(*image));
	image_begin(words);
	image->reader.read = read_image;
	image->binary = (struct binary){ .symbol = symbol,
					 .label = "php",
					 .arch = arch_of_host() };
	make_chunk(image);
	variable = image_room(words, 8);
	image_put(variable, image->heap);
	image->code = image_room(words, 256);
	distance = (int32_t)(variable - (image->code + 7));
	memcpy((void *)image->code, load, sizeof(load));
	memcpy((void *)(image->code + 3), &distance, sizeof(distance));
	*(uint8_t *)(image->code + 7) = 0xc3;
	image->globals = image_room(words, STORE + 16);
	image->registry = image_room(words, 24);
	bucket = image_room(words, 8);
	module = image_room(words, 16);
	image_put(image->registry + 16, bucket);
	image_put(bucket, module);
	put32(module + 4, 20220829);
	make_objects(image);
}

static int
count(struct php_image *image, struct census *census, struct err *err)
{
	struct heap_copy copy;
	int r;

	heap_copy_init(&copy, &image->reader);
	r = php_heap_copy(&image->binary, &copy, err);
	if (r == 0)
		r = php_heap_count(&image->binary, &copy.reader, census, err);
	heap_copy_release(&copy);
	return r;
}

START_TEST(objects_and_blocks)
{
	struct php_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err = { "" };

	make_image(image);
	census_init(&census);
	census.strings = census_strings_new(&image->reader);
	if (count(image, &census, &err) != 0)
		ck_abort_msg("%s", err.text);
	check_row(&census, "First", 3, 240);
	check_row(&census, "A\\Second", 1, 80);
	check_row(&census, "array", 2, 2 * 56 + 320);
	check_row(&census, "string", 1, 32);
	ck_assert_uint_eq(census.strings->count, 1);
	/* Two blocks of 80 bytes, one of 56, two of 32, one of 320, a large
	 * block and a huge one. */
	check_row(&census, "(other memory)", 8,
		  2 * 80 + 56 + 2 * 32 + 320 + 3 * PAGE + CHUNK);
	ck_assert_uint_eq(census.bytes,
			  SMALL_BYTES - image->free_small + 3 * PAGE + CHUNK);
	ck_assert_uint_eq(census.mapped, 2 * CHUNK);
	/* Three runs of a page and one of five pages have small blocks. */
	ck_assert(census.has_fragmented);
	ck_assert_uint_eq(census.fragmented,
			  8 * PAGE - (SMALL_BYTES - image->free_small));
	census_release(&census);
	free(image->memory);
	free(image);
}
END_TEST

/* Damages the word at this address. The census must end, and must not count
 * more than what the heap contains. */
static void
damage(struct php_image *image, addr_t at)
{
	static const uint64_t damages[] = { 0, 1, 0xff, UINT64_MAX,
					    UINT64_C(1) << 40 };
	uint64_t before, now;

	memcpy(&before, (void *)at, sizeof(before));
	for (size_t i = 0; i < 5 + 8; i++) {
		struct census census;
		struct err err;
		int r;

		now = i < 5 ? damages[i]
			    : before ^ UINT64_C(0xff) << 8 * (i - 5);
		image_put(at, now);
		census_init(&census);
		census.strings = census_strings_new(&image->reader);
		r = count(image, &census, &err);
		if (r == 0 && census.bytes > 2 * CHUNK)
			ck_abort_msg("%lx: %lu bytes", (unsigned long)at,
				     (unsigned long)census.bytes);
		if (r != 0 && r != -EIO && r != -EAGAIN && r != -ENOTSUP &&
		    r != -EFBIG)
			ck_abort_msg("%lx: %d", (unsigned long)at, r);
		census_release(&census);
	}
	image_put(at, before);
}

START_TEST(each_byte_is_damaged)
{
	struct php_image *image = calloc(1, sizeof(*image));

	make_image(image);
	for (addr_t at = 0; at < image->words.used; at++)
		damage(image, (addr_t)&image->words.words[at]);
	/* Damages each word of the first page up to the word of the last used
	 * page, and the beginning of each other page. */
	for (addr_t at = 0; at < 544 + 4 * (PAGES_USED + 2); at += 8)
		damage(image, image->chunk + at);
	for (unsigned page = 1; page < PAGES_USED; page++)
		for (addr_t at = 0; at < 512; at += 8)
			damage(image, page_at(image, page) + at);
	free(image->memory);
	free(image);
}
END_TEST

/* A string in a huge block is a string in the copy, even if the script has
 * written something else to its end since. */
START_TEST(huge_string)
{
	struct php_image *image = calloc(1, sizeof(*image));
	struct heap_copy copy;
	struct census census;
	struct err err = { "" };

	make_image(image);
	put32(image->huge + 4, 6);
	image_put(image->huge + 16, CHUNK - 100);
	heap_copy_init(&copy, &image->reader);
	if (php_heap_copy(&image->binary, &copy, &err) != 0)
		ck_abort_msg("%s", err.text);
	memset(image->huge_end, 'x', sizeof(image->huge_end));
	census_init(&census);
	if (php_heap_count(&image->binary, &copy.reader, &census, &err) != 0)
		ck_abort_msg("%s", err.text);
	check_row(&census, "string", 2, 32 + CHUNK);
	census_release(&census);
	heap_copy_release(&copy);
	free(image->memory);
	free(image);
}
END_TEST

START_TEST(changed_while_it_was_copied)
{
	struct php_image *image = calloc(1, sizeof(*image));
	struct census census;
	struct err err;

	make_image(image);
	/* The program has taken a block from the list of free blocks, but has
	 * not yet added its size to the sum. */
	image_put(image->heap + 16,
		  SMALL_BYTES - image->free_small + 3 * PAGE + CHUNK - 56);
	census_init(&census);
	ck_assert_int_eq(count(image, &census, &err), -EAGAIN);
	ck_assert_str_eq(err.text, "php: the heap of PHP makes no sense");
	census_release(&census);
	free(image->memory);
	free(image);
}
END_TEST

START_TEST(other_versions)
{
	struct php_image *image = calloc(1, sizeof(*image));
	struct census census;
	addr_t bucket, module;
	struct err err;

	make_image(image);
	memcpy(&bucket, (void *)(image->registry + 16), 8);
	memcpy(&module, (void *)bucket, 8);
	put32(module + 4, 20240924);
	census_init(&census);
	ck_assert_int_eq(count(image, &census, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "php: the heap of PHP with the interface of 20240924 "
			 "is not known to xtrace, only that of 8.2 (20220829)");
	put32(module + 4, 20220829);
	put32(module + 8, 0x100);
	ck_assert_int_eq(count(image, &census, &err), -ENOTSUP);
	ck_assert_str_eq(err.text, "php: the heap of PHP that is made for "
				   "threads (ZTS) is not known to xtrace");
	put32(module + 8, 0);
	put32(image->heap, 1);
	ck_assert_int_eq(count(image, &census, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "php: PHP does not use its own allocator "
			 "(USE_ZEND_ALLOC), so its objects cannot be found");
	image->registry = 0;
	ck_assert_int_eq(count(image, &census, &err), -ENOENT);
	census_release(&census);
	free(image->memory);
	free(image);
}
END_TEST

Suite *
php_heap_suite(void)
{
	Suite *suite = suite_create("php_heap");
	TCase *tests = tcase_create("heaps");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, objects_and_blocks);
	tcase_add_test(tests, each_byte_is_damaged);
	tcase_add_test(tests, huge_string);
	tcase_add_test(tests, changed_while_it_was_copied);
	tcase_add_test(tests, other_versions);
	suite_add_tcase(suite, tests);
	return suite;
}
