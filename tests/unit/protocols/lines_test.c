/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines and blocks, in one piece and byte by byte. */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"
#include "protocols/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Writes what was read as "line|[block]|...". A line "N" of digits is followed
 * by a block of N bytes, of which three are kept. */
static void
read_all(const char *text, size_t step, char *to)
{
	size_t left = strlen(text);
	struct line_reader lines;
	struct text_line line;

	lines_init(&lines);
	to[0] = '\0';
	while (left > 0) {
		size_t count = left < step ? left : step;
		unsigned char *copy = malloc(count);
		struct piece piece = { .at = copy, .left = count, .when = 1 };
		uint64_t number;

		memcpy(copy, text, count);
		while (lines_next(&lines, &piece, &line) > 0) {
			if (line.block)
				strcat(to, "[");
			if (line.kept > 0)
				strncat(to, (const char *)line.bytes,
					line.kept);
			strcat(to, line.block ? "]|" : "|");
			if (!line.block &&
			    lines_number(line.bytes, line.bytes + line.kept,
					 &number))
				lines_block(&lines, number, 3);
		}
		free(copy);
		text += count;
		left -= count;
	}
	lines_release(&lines);
}

START_TEST(are_found_in_any_pieces)
{
	static const char *const rows[][2] = {
		{ "a\r\nb\nc\r\n", "a|b|c|" },
		{ "\r\n\n", "||" },
		{ "a\rb\r\r\n", "a\rb\r|" },
		{ "2\r\nxyabc\r\n", "2|[xy]|abc|" },
		{ "5\nx\ny\nzrest\n", "5|[x\ny]|rest|" },
		{ "open", "" },
		{ "9\nopen", "9|" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		for (size_t step = 1; step < 20; step++) {
			char got[100];

			read_all(rows[i][0], step, got);
			ck_assert_str_eq(got, rows[i][1]);
		}
	}
}
END_TEST

START_TEST(are_bounded)
{
	static unsigned char bytes[1 << 20];
	struct line_reader lines;
	struct text_line line;
	int r = 0, pieces = 0;

	memset(bytes, 'x', sizeof(bytes));
	lines_init(&lines);
	for (; r == 0 && pieces < 100; pieces++) {
		struct piece piece = { .at = bytes, .left = sizeof(bytes) };

		r = lines_next(&lines, &piece, &line);
		ck_assert_uint_le(lines.room, 2 * LINES_KEEP);
	}
	ck_assert_int_eq(r, -EPROTO);
	ck_assert_int_eq(pieces, LINES_MOST / (int)sizeof(bytes) + 1);
	lines_release(&lines);
}
END_TEST

/* A reader that keeps only the beginning of a block needs no other byte of it
 * but the last one. */
START_TEST(are_passed_over)
{
	struct piece piece = { .at = (const unsigned char *)"abcd", .left = 4 };
	struct line_reader lines;
	struct text_line line;

	lines_init(&lines);
	ck_assert_uint_eq(lines_blind(&lines), 0);
	lines_block(&lines, 100, 2);
	ck_assert_uint_eq(lines_blind(&lines), 0);
	ck_assert_int_eq(lines_next(&lines, &piece, &line), 0);
	ck_assert_uint_eq(lines_blind(&lines), 95);
	lines_pass(&lines, 1000);
	ck_assert_uint_eq(lines_blind(&lines), 0);
	piece = (struct piece){ .at = (const unsigned char *)"z\n", .left = 2 };
	ck_assert_int_eq(lines_next(&lines, &piece, &line), 1);
	ck_assert(line.block);
	ck_assert_uint_eq(line.length, 100);
	ck_assert_uint_eq(line.kept, 2);
	ck_assert_mem_eq(line.bytes, "ab", 2);
	ck_assert_int_eq(lines_next(&lines, &piece, &line), 1);
	ck_assert(!line.block);
	ck_assert_uint_eq(line.kept, 0);
	lines_block(&lines, UINT64_MAX, 0);
	piece = (struct piece){ .at = (const unsigned char *)"abcd",
				.left = 4 };
	ck_assert_int_eq(lines_next(&lines, &piece, &line), 0);
	ck_assert_uint_eq(lines_blind(&lines), UINT64_MAX - 1);
	lines_pass(&lines, 1 << 30);
	ck_assert_uint_eq(lines_blind(&lines), UINT64_MAX - 1);
	lines_release(&lines);
}
END_TEST

START_TEST(have_numbers)
{
	static const struct {
		const char *text;
		int64_t number; /* -1: none */
	} rows[] = {
		{ "0", 0 },
		{ "17", 17 },
		{ "999999999999999999", 999999999999999999 },
		{ "", -1 },
		{ "-1", -1 },
		{ "1000000000000000000", -1 },
		{ "1x", -1 },
		{ " 1", -1 },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		const unsigned char *at = (const unsigned char *)rows[i].text;
		uint64_t number = 0;
		bool is = lines_number(at, at + strlen(rows[i].text), &number);

		ck_assert_int_eq(is ? (int64_t)number : -1, rows[i].number);
	}
}
END_TEST

Suite *
lines_suite(void)
{
	Suite *suite = suite_create("lines");
	TCase *tests = tcase_create("lines");

	tcase_add_test(tests, are_found_in_any_pieces);
	tcase_add_test(tests, are_bounded);
	tcase_add_test(tests, are_passed_over);
	tcase_add_test(tests, have_numbers);
	suite_add_tcase(suite, tests);
	return suite;
}
