/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words, strings and "as many bytes as possible", at and across the ends of
 * pages, some of which are unreadable.
 */
#include "tests/unit/base/suites.h"

#include "base/attr.h"
#include "base/reader.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u
#define PAGES 4u
#define START UINT64_C(0x7000)
#define END (START + PAGES * PAGE)

/* Pages at START; the third one is a hole. */
struct fake {
	struct reader reader;
	char bytes[PAGES * PAGE];
	bool gone;
	unsigned reads;
};

static struct fake *fake;

static bool
readable(addr_t page)
{
	return page >= START && page < END && page != START + 2 * PAGE;
}

static int
read_fake(struct reader *reader, addr_t from, void *to, size_t len)
{
	struct fake *of = container_of(reader, struct fake, reader);

	of->reads++;
	if (of->gone)
		return -ESRCH;
	for (addr_t at = from / PAGE * PAGE; at < from + len; at += PAGE) {
		if (!readable(at))
			return -EFAULT;
	}
	memcpy(to, of->bytes + (from - START), len);
	return 0;
}

static void
setup(void)
{
	fake = xcalloc(1, sizeof(*fake));
	fake->reader.read = read_fake;
	memset(fake->bytes, 'x', sizeof(fake->bytes));
}

static void
teardown(void)
{
	free(fake);
}

START_TEST(words)
{
	uint64_t wide = 1;
	uint32_t narrow = 2;

	memcpy(fake->bytes + 8, "\1\2\3\4\5\6\7\10", 8);
	ck_assert_int_eq(reader_u64(&fake->reader, START + 8, &wide), 0);
	ck_assert_uint_eq(wide, UINT64_C(0x0807060504030201));
	ck_assert_int_eq(reader_u32(&fake->reader, START + 8, &narrow), 0);
	ck_assert_uint_eq(narrow, 0x04030201);
	ck_assert_int_eq(reader_u64(&fake->reader, START + PAGE - 3, &wide), 0);
	ck_assert_int_eq(reader_u64(&fake->reader, START + 2 * PAGE - 3, &wide),
			 -EFAULT);
	ck_assert_int_eq(reader_u32(&fake->reader, 0, &narrow), -EFAULT);
	ck_assert_uint_eq(narrow, 0x04030201);
	ck_assert_int_eq(reader_word(&fake->reader, START + 8, 8, &wide), 0);
	ck_assert_uint_eq(wide, UINT64_C(0x0807060504030201));
	ck_assert_int_eq(reader_word(&fake->reader, START + 8, 4, &wide), 0);
	ck_assert_uint_eq(wide, 0x04030201);
	ck_assert_int_eq(reader_word(&fake->reader, 0, 4, &wide), -EFAULT);
	ck_assert_uint_eq(wide, 0x04030201);
	fake->gone = true;
	ck_assert_int_eq(reader_u64(&fake->reader, START, &wide), -ESRCH);
}
END_TEST

START_TEST(as_much_as_there_is)
{
	char to[3 * PAGE];
	struct reader *reader = &fake->reader;

	ck_assert_int_eq(reader_some(reader, START, to, 10), 10);
	ck_assert_int_eq(reader_some(reader, START, to, 0), 0);
	ck_assert_int_eq(reader_some(reader, 0, to, 0), 0);
	ck_assert_int_eq(reader_some(reader, START, to, sizeof(to)), 2 * PAGE);
	ck_assert_int_eq(reader_some(reader, START + 2 * PAGE - 1, to, 5), 1);
	ck_assert_int_eq(reader_some(reader, START + 2 * PAGE, to, 5), -EFAULT);
	ck_assert_int_eq(reader_some(reader, END - 7, to, 50), 7);
	ck_assert_int_eq(reader_some(reader, END, to, 1), -EFAULT);
	fake->gone = true;
	ck_assert_int_eq(reader_some(reader, START, to, 10), -ESRCH);
}
END_TEST

struct row {
	size_t at; /* offset of the string in the memory of the test */
	/*
	 * the string's length without the NUL, or up to the end of what can be
	 * read
	 */
	size_t length;
	size_t room;
	long result;
	int whole;
};

#define NONE ((size_t)-1)

static const struct row rows[] = {
	{ 0, 0, 16, 0, 1 },
	{ 0, 5, 16, 5, 1 },
	{ 0, 15, 16, 15, 0 }, /* the NUL was not read */
	{ 0, 14, 16, 14, 1 },
	{ 0, 100, 16, 15, 0 },
	{ 0, 63, 256, 63, 1 },
	{ 0, 64, 256, 64, 1 },
	{ 0, 65, 256, 65, 1 },
	{ 0, 100, 1, 0, 0 },
	{ PAGE - 1, 0, 16, 0, 1 },
	{ PAGE - 1, 1, 16, 1, 1 },
	{ PAGE - 10, 20, 64, 20, 1 },
	/* the unreadable page ends the string */
	{ PAGE - 10, 5000, 8192, 4106, 0 },
	{ 2 * PAGE - 4, 3, 64, 3, 1 },
	{ 2 * PAGE - 4, NONE, 64, 4, 0 },
	{ 2 * PAGE, NONE, 64, -EFAULT, 777 },
	{ 3 * PAGE, NONE, 8192, PAGE, 0 },
	{ 0, NONE, 0, -EINVAL, 777 },
};

START_TEST(one_string)
{
	const struct row *row = &rows[_i];
	cleanup(freep) char *to = xmalloc(row->room + 1);
	int whole = 777;
	long r;

	if (row->length != NONE && row->at + row->length < PAGES * PAGE)
		fake->bytes[row->at + row->length] = '\0';
	to[row->room] = '!';
	r = reader_cstr(&fake->reader, START + row->at, to, row->room, &whole);
	ck_assert_int_eq(r, row->result);
	ck_assert_int_eq(whole, row->whole);
	ck_assert_int_eq(to[row->room], '!');
	if (r < 0)
		return;
	ck_assert_uint_eq(strlen(to), (size_t)r);
	ck_assert_uint_eq(strspn(to, "x"), (size_t)r);
}
END_TEST

START_TEST(a_short_string_is_one_read)
{
	char to[1000];

	fake->bytes[20] = '\0';
	ck_assert_int_eq(reader_cstr(&fake->reader, START, to, sizeof(to),
				     NULL),
			 20);
	ck_assert_uint_eq(fake->reads, 1);
	fake->gone = true;
	ck_assert_int_eq(reader_cstr(&fake->reader, START, to, sizeof(to),
				     NULL),
			 -ESRCH);
}
END_TEST

/* Reads at most two spans in one call, and none behind the first that cannot be
 * read. */
static size_t
read_fake_spans(struct reader *reader, const struct span *spans, size_t count)
{
	size_t done = 0;

	while (done < count && done < 2 &&
	       read_fake(reader, spans[done].from, spans[done].to,
			 spans[done].length) == 0)
		done++;
	return done;
}

START_TEST(many_at_one_go)
{
	char to[5][8];
	struct span spans[] = {
		{ START, to[0], 8 },	  { START + PAGE, to[1], 8 },
		{ START + 8, to[2], 8 },  { START + 2 * PAGE, to[3], 8 },
		{ START + 16, to[4], 8 },
	};

	fake->reader.read_spans = _i ? read_fake_spans : NULL;
	memset(to, '.', sizeof(to));
	ck_assert_uint_eq(reader_spans(&fake->reader, spans, 5), 3);
	ck_assert_mem_eq(to, "xxxxxxxxxxxxxxxxxxxxxxxx........", 32);
	ck_assert_uint_eq(reader_spans(&fake->reader, spans + 4, 1), 1);
	ck_assert_uint_eq(reader_spans(&fake->reader, spans, 0), 0);
}
END_TEST

Suite *
reader_suite(void)
{
	Suite *suite = suite_create("base/reader");
	TCase *tests = tcase_create("reader");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, words);
	tcase_add_test(tests, as_much_as_there_is);
	tcase_add_loop_test(tests, one_string, 0, array_size(rows));
	tcase_add_test(tests, a_short_string_is_one_read);
	tcase_add_loop_test(tests, many_at_one_go, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
