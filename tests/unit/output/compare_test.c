/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The differences of two tables, one row for each kind of difference. */
#include "suites.h"

#include "output/tables/compare.h"

#include <errno.h>
#include <stdlib.h>

#define ROW(name, calls, total)                                     \
	"{\"event\":\"row\",\"name\":\"" name "\",\"calls\":" calls \
	",\"total\":" total "}"
#define QUERY(name, calls, total)                                          \
	"{\"event\":\"row\",\"name\":\"" name "\",\"query\":\"00000001\"," \
	"\"calls\":" calls ",\"total\":" total ",\"p\": 1.5e-3}"
#define END "{\"event\":\"summary\",\"calls\":3}"

static void
read_lines(struct compare *compare, enum compare_side side,
	   const char *const *lines)
{
	struct err err = { "" };

	for (; *lines; lines++)
		ck_assert_msg(compare_line(compare, side, *lines, &err) == 0,
			      "%s: %s", *lines, err.text);
}

static void
expect(const char *const *before, const char *const *after,
       const char *expected)
{
	struct compare *compare = compare_new();
	struct str text;

	read_lines(compare, COMPARE_BEFORE, before);
	read_lines(compare, COMPARE_AFTER, after);
	str_init(&text);
	compare_add(&text, compare);
	ck_assert_str_eq(str_text(&text), expected);
	str_release(&text);
	compare_free(compare);
}

#define HEADER "         before    after   change   calls   calls  name\n"

START_TEST(each_difference_has_a_word)
{
	const char *const before[] = { ROW("slow", "10", "1"),
				       ROW("often", "1", "0.001"),
				       ROW("old", "1", "2.5"),
				       ROW("fast", "10", "1"),
				       ROW("same", "78", "0.078"),
				       END,
				       NULL };
	const char *const after[] = { ROW("same", "68", "0.068"),
				      ROW("fast", "10", "0.5"),
				      QUERY("select \\u00e9\\ud83d\\ude00\\n",
					    "1", "0.25"),
				      ROW("often", "11", "0.011"),
				      ROW("slow", "10", "1.5"),
				      END,
				      NULL };

	expect(before, after,
	       HEADER
	       "slower  100.0ms  150.0ms   x 1.50      10      10  slow\n"
	       "more    1.000ms  1.000ms   x 1.00       1      11  often\n"
	       "new              250.0ms                        1  "
	       "select \xc3\xa9\xf0\x9f\x98\x80\\n\n"
	       "gone     2.500s                         1          old\n"
	       "faster  100.0ms  50.00ms   x 0.50      10      10  fast\n"
	       "1 slower, 1 more, 1 new, 1 gone, 1 faster, 1 the same\n");
}
END_TEST

/* With --interval a file has several tables; the last is that of the run. */
START_TEST(the_last_table_counts)
{
	const char *const before[] = { ROW("f", "2", "9"), END,
				       ROW("g", "1", "1"), END, NULL };
	const char *const after[] = { ROW("g", "1", "3"), NULL };

	expect(before, after,
	       HEADER
	       "slower   1.000s   3.000s   x 3.00       1       1  g\n"
	       "1 slower, 0 more, 0 new, 0 gone, 0 faster, 0 the same\n");
}
END_TEST

/* Rows of one kind are sorted by the seconds that they cost, then by name. */
START_TEST(order_within_a_kind)
{
	const char *const before[] = { ROW("a", "10", "1"), ROW("b", "10", "1"),
				       ROW("c", "10", "1"), NULL };
	const char *const after[] = { ROW("a", "10", "2"), ROW("b", "10", "9"),
				      ROW("c", "10", "2"), NULL };

	expect(before, after,
	       HEADER
	       "slower  100.0ms  900.0ms   x 9.00      10      10  b\n"
	       "slower  100.0ms  200.0ms   x 2.00      10      10  a\n"
	       "slower  100.0ms  200.0ms   x 2.00      10      10  c\n"
	       "3 slower, 0 more, 0 new, 0 gone, 0 faster, 0 the same\n");
}
END_TEST

/* A file may contain any number. A mean that is negative or too large is not
 * shown. */
START_TEST(numbers_without_a_sense)
{
	const char *const before[] = { ROW("f", "1", "-5"), NULL };
	const char *const after[] = { ROW("f", "1", "1e300"), NULL };

	expect(before, after,
	       HEADER
	       "slower                                  1       1  f\n"
	       "1 slower, 0 more, 0 new, 0 gone, 0 faster, 0 the same\n");
}
END_TEST

static const char *const bad[] = {
	"",
	"x",
	"{",
	"[1]",
	"{}",
	"{\"event\":\"call\"}",
	"{\"event\":\"row\",\"name\":\"x\"}",
	"{\"event\":\"row\",\"name\":\"x\",\"calls\":1}",
	"{\"event\":\"row\",\"calls\":1,\"total\":1}",
	ROW("x", "0", "1"),
	ROW("x", "-1", "1"),
	ROW("x", "true", "1"),
	ROW("\\u12", "1", "1"),
	ROW("x", "1", "1") "x",
	"{\"event\":\"row\",\"a\":{]}",
};

START_TEST(one_bad_line)
{
	struct compare *compare = compare_new();
	struct err err = { "" };

	ck_assert_int_eq(compare_line(compare, COMPARE_AFTER, bad[_i], &err),
			 -EINVAL);
	ck_assert_str_eq(err.text,
			 "not a line of a table that --summary --json "
			 "writes");
	ck_assert_uint_eq(compare_rows(compare, COMPARE_AFTER), 0);
	compare_free(compare);
}
END_TEST

Suite *
compare_suite(void)
{
	Suite *suite = suite_create("compare");
	TCase *tests = tcase_create("compare");

	tcase_add_test(tests, each_difference_has_a_word);
	tcase_add_test(tests, the_last_table_counts);
	tcase_add_test(tests, order_within_a_kind);
	tcase_add_test(tests, numbers_without_a_sense);
	tcase_add_loop_test(tests, one_bad_line, 0,
			    sizeof(bad) / sizeof(bad[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
