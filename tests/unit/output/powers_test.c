/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Histograms of powers of two, compared line by line. */
#include "output/tables/powers.h"

#include "tests/unit/output/suites.h"

#include <string.h>

static void
drawn(const int64_t *numbers, size_t count, const char *wanted)
{
	struct powers powers = { .count = 0 };
	struct str text;

	for (size_t i = 0; i < count; i++)
		powers_add(&powers, numbers[i]);
	ck_assert_uint_eq(powers.count, count);
	str_init(&text);
	powers_draw(&powers, &text);
	ck_assert_str_eq(str_text(&text), wanted);
	str_release(&text);
}

START_TEST(powers_are_exact)
{
	static const int64_t numbers[] = { 2, 3, 3, 3, 8, 15, 16 };

	drawn(numbers, 7,
	      "[2, 4)                  4 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@"
	      "@@@@@@@@@@@@@@@@|\n"
	      "[4, 8)                  0 |                                    "
	      "                |\n"
	      "[8, 16)                 2 |@@@@@@@@@@@@@@@@@@@@@@@@@@          "
	      "                |\n"
	      "[16, 32)                1 |@@@@@@@@@@@@@                       "
	      "                |\n");
}
END_TEST

START_TEST(ends)
{
	static const int64_t small[] = { INT64_MIN, 0, 1 };
	static const int64_t large[] = { INT64_MAX, INT64_C(1) << 62 };
	struct powers powers = { .count = 0 };
	struct str text;
	const char *line;

	for (size_t i = 0; i < 3; i++)
		powers_add(&powers, small[i]);
	str_init(&text);
	powers_draw(&powers, &text);
	line = text.text;
	ck_assert(!strncmp(line, "(..., 0)  ", 10));
	line = strchr(line, '\n') + 1;
	ck_assert(!strncmp(line, "[0]  ", 5));
	line = strchr(line, '\n') + 1;
	ck_assert(!strncmp(line, "[1]  ", 5));
	for (line = text.text; *line; line = strchr(line, '\n') + 1)
		ck_assert_int_eq(strchr(line, '\n') - line, 80);
	str_clear(&text);
	powers = (struct powers){ .count = 0 };
	for (size_t i = 0; i < 2; i++)
		powers_add(&powers, large[i]);
	powers_draw(&powers, &text);
	ck_assert(!strncmp(text.text, "[4E, 8E)                2 |@", 28));
	str_clear(&text);
	powers = (struct powers){ .count = 0 };
	powers_add(&powers, 1023);
	powers_add(&powers, 1024);
	powers_draw(&powers, &text);
	ck_assert(!strncmp(text.text, "[512, 1K)  ", 11));
	ck_assert(!strncmp(strchr(text.text, '\n') + 1, "[1K, 2K)  ", 10));
	str_release(&text);
	drawn(NULL, 0, "");
}
END_TEST

Suite *
powers_suite(void)
{
	Suite *suite = suite_create("powers");
	TCase *tests = tcase_create("powers");

	tcase_add_test(tests, powers_are_exact);
	tcase_add_test(tests, ends);
	suite_add_tcase(suite, tests);
	return suite;
}
