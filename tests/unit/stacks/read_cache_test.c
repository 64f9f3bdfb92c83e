/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A read cache returns what is in memory now. A walk that reads the same places
 * as the previous walk makes one system call. */
#include "stacks/read_cache.h"
#include "stacks/peek.h"
#include "tests/unit/stacks/suites.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PAGE ADDR_PAGE
#define PAGES 300u
#define START (16 * PAGE)

/* Memory with pages from START on, some of which are holes. */
struct fake {
	struct reader reader;
	uint8_t *bytes;
	bool holes[PAGES];
	bool gone;
	unsigned asked;
	size_t bytes_asked;
};

static struct fake fake;
static struct read_cache cache;

static int
read_fake(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	fake.asked++;
	fake.bytes_asked += length;
	if (fake.gone)
		return -ESRCH;
	if (from < START || from + length > START + PAGES * PAGE)
		return -EFAULT;
	for (addr_t at = from / PAGE; at <= (from + length - 1) / PAGE; at++) {
		if (fake.holes[at - START / PAGE])
			return -EFAULT;
	}
	memcpy(to, fake.bytes + (from - START), length);
	return 0;
}

static size_t
read_fake_spans(struct reader *reader, const struct span *spans, size_t count)
{
	unsigned asked = fake.asked + 1;
	size_t done = 0;

	while (done < count &&
	       read_fake(reader, spans[done].from, spans[done].to,
			 spans[done].length) == 0)
		done++;
	fake.asked = asked;
	return done;
}

static void
setup(void)
{
	fake = (struct fake){ .reader = { .read = read_fake,
					  .read_spans = read_fake_spans } };
	fake.bytes = xmalloc(PAGES * PAGE);
	for (size_t i = 0; i < PAGES * PAGE; i++)
		fake.bytes[i] = (uint8_t)(i * 7 + i / PAGE);
	read_cache_init(&cache);
}

static void
teardown(void)
{
	read_cache_release(&cache);
	free(fake.bytes);
}

/* Reads through the read cache and compares. */
static void
look(addr_t offset, size_t length)
{
	uint8_t to[3 * PAGE];

	ck_assert_int_eq(reader_read(&cache.reader, START + offset, to, length),
			 0);
	ck_assert_mem_eq(to, fake.bytes + offset, length);
}

START_TEST(the_second_walk_asks_once)
{
	for (unsigned walk = 0; walk < 4; walk++) {
		fake.asked = 0;
		read_cache_begin(&cache, &fake.reader);
		for (unsigned i = 0; i < 10; i++)
			look(i * 3 * PAGE + 100, 24);
		look(6 * PAGE - 10, 2 * PAGE);
		ck_assert_uint_eq(fake.asked, walk ? 1 : 12);
		memset(fake.bytes + 100, (int)walk, 24);
	}
}
END_TEST

/* The cache reads only the part of a page that was asked for so far. The part
 * grows with each look outside of it. */
START_TEST(parts_of_a_page)
{
	static const size_t places[] = { 2000, 2040, 100, 4090, 2000, 0 };

	for (unsigned walk = 0; walk < array_size(places); walk++) {
		fake.asked = fake.bytes_asked = 0;
		read_cache_begin(&cache, &fake.reader);
		ck_assert_uint_eq(fake.asked, walk > 0);
		ck_assert_uint_le(fake.bytes_asked, walk < 2 ? 64 : PAGE);
		look(places[walk], 6);
		look(2000, 6);
		memset(fake.bytes + 1990, (int)walk, 80);
	}
	ck_assert_uint_eq(cache.pages[0].low, 0);
	ck_assert_uint_eq(cache.pages[0].high, PAGE);
}
END_TEST

START_TEST(what_is_not_wanted_is_forgotten)
{
	read_cache_begin(&cache, &fake.reader);
	for (unsigned i = 0; i < 100; i++)
		look(i * PAGE, 8);
	for (unsigned walk = 0; walk < 20; walk++) {
		read_cache_begin(&cache, &fake.reader);
		look(5 * PAGE, 8);
	}
	ck_assert_uint_eq(cache.count, 1);
}
END_TEST

START_TEST(more_than_it_remembers)
{
	for (unsigned walk = 0; walk < 3; walk++) {
		read_cache_begin(&cache, &fake.reader);
		for (unsigned i = 0; i < PAGES; i++)
			look(i * PAGE + walk, 16);
		ck_assert_uint_le(cache.count, READ_CACHE_PAGES);
	}
}
END_TEST

START_TEST(holes)
{
	uint64_t word;

	fake.holes[3] = true;
	read_cache_begin(&cache, &fake.reader);
	look(2 * PAGE, 8);
	look(4 * PAGE, 8);
	ck_assert_int_eq(reader_u64(&cache.reader, START + 3 * PAGE, &word),
			 -EFAULT);
	ck_assert_int_eq(reader_u64(&cache.reader, START + 3 * PAGE - 4, &word),
			 -EFAULT);
	ck_assert_int_eq(reader_u64(&cache.reader, UINT64_MAX - 3, &word),
			 -EFAULT);
	fake.holes[2] = true;
	fake.holes[3] = false;
	read_cache_begin(&cache, &fake.reader);
	look(3 * PAGE, 8);
	look(4 * PAGE, 8);
	ck_assert_int_eq(reader_u64(&cache.reader, START + 2 * PAGE, &word),
			 -EFAULT);
}
END_TEST

START_TEST(a_process_that_has_ended)
{
	uint64_t word;

	read_cache_begin(&cache, &fake.reader);
	look(0, 8);
	fake.gone = true;
	read_cache_begin(&cache, &fake.reader);
	ck_assert_int_eq(reader_u64(&cache.reader, START, &word), -ESRCH);
}
END_TEST

static int (*ask_cache)(struct reader *, addr_t, void *, size_t);
static unsigned asked_cache;

static int
count_and_ask(struct reader *reader, addr_t from, void *to, size_t length)
{
	asked_cache++;
	return ask_cache(reader, from, to, length);
}

/* A peek takes words from the pages of the cache that it has seen, without
 * asking the cache. They are the words of this walk, not of an earlier one. */
START_TEST(views)
{
	unsigned wrong = 0, peeks = 0;

	ask_cache = cache.reader.read;
	cache.reader.read = count_and_ask;
	srandom(1);
	fake.holes[17] = true;
	for (unsigned walk = 0; walk < 300; walk++) {
		struct peek peek = { .memory = &cache.reader };

		read_cache_begin(&cache, &fake.reader);
		for (unsigned i = 0; i < 200; i++, peeks++) {
			/* A peek has few entries for pages, so some of these
			 * pages share one. */
			addr_t at = (addr_t)(random() % 40 * 5 % PAGES) * PAGE +
				    (addr_t)(random() % 64 * 63);
			size_t length = (size_t)random() % 130;
			bool hole = length > 0 && at + length > 17 * PAGE &&
				    at < 18 * PAGE;
			uint8_t to[130];

			peek_bytes(&peek, START + at, to, length);
			wrong += length > 0 && peek.fault != hole;
			wrong += !hole && memcmp(to, fake.bytes + at, length);
			peek.fault = false;
		}
		for (unsigned i = 0; i < 1000; i++)
			fake.bytes[random() % (PAGES * PAGE)]++;
	}
	ck_assert_uint_eq(wrong, 0);
	ck_assert_uint_lt(asked_cache, peeks / 2);
}
END_TEST

/* read_cache_begin() copies the memory that was added. The copy stays as it is
 * when the memory changes. */
START_TEST(a_copy_of_what_is_added)
{
	addr_t at = START + 5 * PAGE - 100;
	uint8_t before[300], byte;

	memcpy(before, fake.bytes + (at - START), sizeof(before));
	read_cache_add(&cache, at, sizeof(before));
	read_cache_begin(&cache, &fake.reader);
	memset(fake.bytes, 0xee, PAGES * PAGE);
	for (size_t i = 0; i < sizeof(before); i++) {
		ck_assert_int_eq(reader_read(&cache.reader, at + i, &byte, 1),
				 0);
		ck_assert_uint_eq(byte, before[i]);
	}
	ck_assert_uint_eq(cache.missed, 0);
	ck_assert_int_eq(reader_read(&cache.reader, START + 50 * PAGE, &byte,
				     1),
			 0);
	ck_assert_uint_eq(cache.missed, 1);
	read_cache_begin(&cache, &fake.reader);
	ck_assert_uint_eq(cache.missed, 0);
}
END_TEST

START_TEST(a_cache_of_a_copy_reads_it_directly)
{
	struct read_cache other;
	uint64_t word, again;

	read_cache_init(&other);
	cache.reader.copied = true;
	read_cache_begin(&cache, &fake.reader);
	ck_assert_int_eq(reader_u64(&cache.reader, START + 8, &word), 0);
	read_cache_begin(&other, &cache.reader);
	memset(fake.bytes, 0, PAGES * PAGE);
	ck_assert_int_eq(reader_u64(&other.reader, START + 8, &again), 0);
	ck_assert_uint_eq(again, word);
	ck_assert_uint_eq(other.count, 0);
	read_cache_release(&other);
}
END_TEST

Suite *
read_cache_suite(void)
{
	Suite *suite = suite_create("stacks/read_cache");
	TCase *tests = tcase_create("read_cache");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_second_walk_asks_once);
	tcase_add_test(tests, parts_of_a_page);
	tcase_add_test(tests, what_is_not_wanted_is_forgotten);
	tcase_add_test(tests, more_than_it_remembers);
	tcase_add_test(tests, holes);
	tcase_add_test(tests, a_process_that_has_ended);
	tcase_add_test(tests, views);
	tcase_add_test(tests, a_copy_of_what_is_added);
	tcase_add_test(tests, a_cache_of_a_copy_reads_it_directly);
	suite_add_tcase(suite, tests);
	return suite;
}
