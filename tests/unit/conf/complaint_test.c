/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of a complaint, with the file's line and the caret below it. */
#include "conf/parse/complaint.h"
#include "conf/parse/parse.h"
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

/* A file that is no prototype file, such as a program or a picture: few
 * complaints are kept, with little text, however long the lines are. */
START_TEST(not_all_of_very_many)
{
	static const char *const parts[] = { "@ a ", "@ a\n", "\0", "(;" };
	const size_t part = _i == 2 ? 1 : strlen(parts[_i]);
	const struct complaint *last;
	struct complaints complaints;
	size_t kept = 0;
	struct str text;

	complaints_init(&complaints);
	str_init(&text);
	for (size_t n = 0; n < (1 << 20); n += part)
		str_add_bytes(&text, parts[_i], part);
	library_free(library_parse("a.conf", text.text, text.length, NULL,
				   &complaints));
	ck_assert_uint_eq(complaints.list.count, COMPLAINTS_MOST + 1);
	for (size_t i = 0; i < COMPLAINTS_MOST; i++)
		kept += strlen(complaints.list.at[i].source);
	ck_assert_uint_le(kept, COMPLAINTS_MOST * 160);
	last = &complaints.list.at[COMPLAINTS_MOST];
	ck_assert_str_eq(last->text,
			 "more than 1000 mistakes, the rest is not shown");
	ck_assert_uint_eq(last->line, 0);
	str_release(&text);
	complaints_release(&complaints);
}
END_TEST

START_TEST(hushed)
{
	struct complaints complaints;
	struct str to;

	complaints_init(&complaints);
	str_init(&to);
	library_free(
		library_parse("a.conf", "int f(word);", 12, NULL, &complaints));
	complaint_hush(&complaints.list.at[0]);
	complaint_print_with_caret(&complaints.list.at[0], &to);
	ck_assert_str_eq(str_text(&to),
			 "a.conf:1:7: not understood (its text is not shown: "
			 "it, or a folder on its path, is another user's)\n");
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
	tcase_add_loop_test(tests, not_all_of_very_many, 0, 4);
	tcase_add_test(tests, hushed);
	suite_add_tcase(suite, tests);
	return suite;
}
