/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a complaint looks, with the line it is about and the caret below. */
#include "conf/complaint.h"
#include "conf/library.h"
#include "tests/unit/conf/suites.h"

static void
expect(const char *text, const char *printed)
{
	struct complaints complaints;
	struct str to;

	complaints_init(&complaints);
	str_init(&to);
	library_free(
		library_parse("a.conf", text, strlen(text), NULL, &complaints));
	for (size_t i = 0; i < complaints.list.count; i++)
		complaint_print_with_caret(&complaints.list.at[i], &to);
	ck_assert_str_eq(str_text(&to), printed);
	str_release(&to);
	complaints_release(&complaints);
}

START_TEST(caret)
{
	expect("int f(int);\nint g(int x;\n",
	       "a.conf:2:12: expected ',' or ')' before ';'\n"
	       "  int g(int x;\n"
	       "             ^\n");
}
END_TEST

START_TEST(tabs_stay)
{
	expect("\tint\tf(foo);", "a.conf:1:8: unknown type 'foo'\n"
				 "  \tint\tf(foo);\n"
				 "  \t   \t  ^\n");
}
END_TEST

START_TEST(behind_the_last_line)
{
	expect("int f(int", "a.conf:1:10: expected ',' or ')' after 'int'\n"
			    "  int f(int\n"
			    "           ^\n");
}
END_TEST

START_TEST(nothing_for_the_terminal)
{
	expect("int f(\033[J\302\2331m);", "a.conf:1:7: unexpected byte 0x1b\n"
					   "  int f(?[J??1m);\n"
					   "        ^\n"
					   "a.conf:1:10: unexpected byte 0xc2\n"
					   "  int f(?[J??1m);\n"
					   "           ^\n");
}
END_TEST

START_TEST(long_lines_are_cut)
{
	struct complaints complaints;
	struct str line, to;

	complaints_init(&complaints);
	str_init(&line);
	str_init(&to);
	str_add(&line, "int f(");
	for (int i = 0; i < 1000; i++)
		str_add(&line, "int, ");
	str_add(&line, "foo);");
	library_free(library_parse("a.conf", line.text, line.length, NULL,
				   &complaints));
	ck_assert_uint_eq(complaints.list.count, 1);
	ck_assert_uint_eq(complaints.list.at[0].column, 5007);
	complaint_print_with_caret(&complaints.list.at[0], &to);
	ck_assert_uint_lt(to.length, 400);
	ck_assert_ptr_nonnull(strstr(to.text, ", foo);\n"));
	str_release(&line);
	str_release(&to);
	complaints_release(&complaints);
}
END_TEST

START_TEST(in_order)
{
	expect("int f(foo);\nint g(@);\nint h(bar, @);\n",
	       "a.conf:1:7: unknown type 'foo'\n"
	       "  int f(foo);\n"
	       "        ^\n"
	       "a.conf:2:7: unexpected '@'\n"
	       "  int g(@);\n"
	       "        ^\n"
	       "a.conf:3:7: unknown type 'bar'\n"
	       "  int h(bar, @);\n"
	       "        ^\n"
	       "a.conf:3:12: unexpected '@'\n"
	       "  int h(bar, @);\n"
	       "             ^\n");
}
END_TEST

START_TEST(of_a_whole_file)
{
	struct complaints complaints;
	struct str to;

	complaints_init(&complaints);
	str_init(&to);
	complaints_add(&complaints, "/no/file", 0, 0, "%s", "not there");
	complaint_print_with_caret(&complaints.list.at[0], &to);
	ck_assert_str_eq(str_text(&to), "/no/file: not there\n");
	str_release(&to);
	complaints_release(&complaints);
}
END_TEST

Suite *
complaint_suite(void)
{
	Suite *suite = suite_create("complaint");
	TCase *tests = tcase_create("complaint");

	tcase_add_test(tests, caret);
	tcase_add_test(tests, tabs_stay);
	tcase_add_test(tests, behind_the_last_line);
	tcase_add_test(tests, nothing_for_the_terminal);
	tcase_add_test(tests, long_lines_are_cut);
	tcase_add_test(tests, in_order);
	tcase_add_test(tests, of_a_whole_file);
	suite_add_tcase(suite, tests);
	return suite;
}
