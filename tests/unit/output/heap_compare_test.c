/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The differences of two heaps: processes are added up, languages have a table
 * each, and a file with several censuses counts once. */
#include "suites.h"

#include "output/tables/heap_compare.h"

#include <errno.h>

#define CLASS(pid, language, name, count, bytes)                        \
	"{\"event\":\"class\",\"pid\":" pid ",\"language\":\"" language \
	"\",\"name\":\"" name "\",\"count\":" count ",\"bytes\":" bytes "}"
#define HEAP(pid, language)                                            \
	"{\"event\":\"heap\",\"pid\":" pid ",\"language\":\"" language \
	"\",\"count\":1,\"bytes\":1}"

static void
read_lines(struct heap_compare *compare, enum compare_side side,
	   const char *const *lines)
{
	struct err err = { "" };

	for (; *lines; lines++)
		ck_assert_msg(heap_compare_line(compare, side, *lines, &err) ==
				      0,
			      "%s: %s", *lines, err.text);
}

static void
expect(bool first, const char *const *before, const char *const *after,
       const char *expected)
{
	struct heap_compare *compare = heap_compare_new(first);
	struct str text;

	read_lines(compare, COMPARE_BEFORE, before);
	read_lines(compare, COMPARE_AFTER, after);
	str_init(&text);
	heap_compare_add(&text, compare, 2);
	ck_assert_str_eq(str_text(&text), expected);
	str_release(&text);
	heap_compare_free(compare);
}

#define HEADER "         count               bytes  class, changes of "

START_TEST(processes_are_added_up)
{
	const char *const before[] = { CLASS("1", "A 1", "x", "10", "100"),
				       CLASS("1", "A 1", "gone", "1", "8"),
				       CLASS("1", "A 1", "same", "5", "5"),
				       HEAP("1", "A 1"),
				       CLASS("2", "A 1", "x", "3", "30"),
				       HEAP("2", "A 1"),
				       NULL };
	const char *const after[] = { CLASS("7", "A 1", "x", "1000",
					    "1000000000130"),
				      CLASS("7", "A 1", "same", "5", "5"),
				      CLASS("7", "A 1", "new", "2", "4"),
				      HEAP("7", "A 1"),
				      CLASS("7", "B 2", "y", "0", "0"),
				      HEAP("7", "B 2"),
				      NULL };

	expect(false, before, after,
	       HEADER "A 1\n"
		      "          +987  +1 000 000 000 000  x\n"
		      "            +2                  +4  new\n"
		      "                                    ... 1 more rows "
		      "(--top)\n"
		      "          +988    +999 999 999 996  in all\n"
		      "\n" HEADER "B 2\n"
		      "             0                   0  in all\n");
}
END_TEST

static const char *const thrice[] = {
	CLASS("1", "A", "x", "1", "10"), HEAP("1", "A"),
	CLASS("1", "A", "x", "2", "20"), HEAP("1", "A"),
	CLASS("1", "A", "x", "4", "40"), HEAP("1", "A"),
	CLASS("1", "A", "x", "9", "90"), NULL
};

/* A class after the last heap's end belongs to a census that was cut off: it
 * does not count. */
START_TEST(several_censuses)
{
	const char *const one[] = { CLASS("1", "A", "x", "1", "10"),
				    HEAP("1", "A"), NULL };

	expect(false, one, thrice,
	       HEADER "A\n"
		      "            +3                 +30  x\n"
		      "            +3                 +30  in all\n");
	expect(true, thrice, thrice,
	       HEADER "A\n"
		      "            +3                 +30  x\n"
		      "            +3                 +30  in all\n");
	expect(false, thrice, thrice,
	       HEADER "A\n             0                   0  in all\n");
}
END_TEST

/* Strings are no classes, and are left out. */
START_TEST(strings_are_left_out)
{
	static const char *const lines[] = {
		CLASS("1", "A", "x", "1", "10"),
		"{\"event\":\"string\",\"pid\":1,\"language\":\"A\","
		"\"text\":\"x\",\"cut\":true,\"length\":99,\"count\":9,"
		"\"bytes\":9}",
		HEAP("1", "A"), NULL
	};
	static const char *const none[] = { HEAP("1", "A"), NULL };

	expect(false, none, lines,
	       HEADER "A\n"
		      "            +1                 +10  x\n"
		      "            +1                 +10  in all\n");
}
END_TEST

static const char *const bad[] = {
	"",
	"{}",
	CLASS("-1", "A", "x", "1", "1"),
	CLASS("1", "A", "x", "-1", "1"),
	CLASS("1", "A", "x", "1", "1e17"),
	"{\"event\":\"class\",\"pid\":1,\"language\":\"A\",\"count\":1,"
	"\"bytes\":1}",
	"{\"event\":\"heap\",\"pid\":1,\"count\":1,\"bytes\":1}",
	"{\"event\":\"string\",\"pid\":1,\"count\":1,\"bytes\":1}",
	"{\"event\":\"row\",\"pid\":1,\"language\":\"A\",\"count\":1,"
	"\"bytes\":1}",
};

START_TEST(one_bad_line)
{
	struct heap_compare *compare = heap_compare_new(false);
	struct err err = { "" };

	ck_assert_int_eq(heap_compare_line(compare, COMPARE_AFTER, bad[_i],
					   &err),
			 -EINVAL);
	ck_assert_str_eq(err.text, "not a line that --heap --json writes");
	ck_assert(!heap_compare_knows(bad[_i]));
	ck_assert_uint_eq(heap_compare_heaps(compare, COMPARE_AFTER), 0);
	heap_compare_free(compare);
}
END_TEST

Suite *
heap_compare_suite(void)
{
	Suite *suite = suite_create("heap_compare");
	TCase *tests = tcase_create("heap_compare");

	tcase_add_test(tests, processes_are_added_up);
	tcase_add_test(tests, several_censuses);
	tcase_add_test(tests, strings_are_left_out);
	tcase_add_loop_test(tests, one_bad_line, 0,
			    sizeof(bad) / sizeof(bad[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
