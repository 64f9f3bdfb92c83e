/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The argument of -S: classes of system calls, and the places of mistakes. */
#include "conf/filter/call_filter.h"

#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static const struct call_class classes[] = {
	{ "file", "open,openat" },
	{ "net", "socket,connect" },
	{ "ipc", "msgget" },
};

static const char *const calls[] = { "close", "open",	NULL,	  "openat",
				     "dup",   "socket", "msgget", "connect" };

static long
count(void)
{
	return (long)array_size(calls);
}

static const char *
name(long number)
{
	return calls[number];
}

static const struct call_names names = { .classes = classes,
					 .class_count = array_size(classes),
					 .count = count,
					 .name = name };

static const struct {
	const char *text;
	/* the first letters of the chosen calls, in the order of the calls */
	const char *chosen;
} rows[] = {
	{ "dup", "d" },
	{ "open", "o" },
	{ "open*", "oo" },
	{ "%file", "oo" },
	{ "%net+dup", "dsc" },
	{ "dup,%ipc", "dm" },
	{ "%file-open", "o" },
	{ "%file+-open", "o" },
	{ "*+-%net", "coodm" },
	{ "%net-%net", "" },
	{ "dup+syscall_999", "d" },
	{ "compat_7+dup", "d" },
	{ "/^c.*e$/+%ipc", "cm" },
};

START_TEST(choices)
{
	const struct filter_module module = { .label = "SYS" };
	struct filter *filter;
	struct err err = { "" };
	char chosen[array_size(calls) + 1] = "";
	size_t column;

	ck_assert_msg(call_filter_parse(rows[_i].text, &names, &filter, &column,
					&err) == 0,
		      "%s: %s", rows[_i].text, err.text);
	for (size_t i = 0; i < array_size(calls); i++) {
		const struct filter_symbol symbol = { .name = calls[i] };

		if (calls[i] && filter_chooses(filter, &module, &symbol))
			strncat(chosen, calls[i], 1);
	}
	ck_assert_msg(!strcmp(chosen, rows[_i].chosen), "%s: %s", rows[_i].text,
		      chosen);
	filter_free(filter);
}
END_TEST

static const struct {
	const char *text;
	size_t column;
	const char *why;
} mistakes[] = {
	{ "%files", 0,
	  "'%files' is no class of system calls: they are %file, %net and "
	  "%ipc" },
	{ "open+%", 5,
	  "'%' is no class of system calls: they are %file, %net and %ipc" },
	{ "opne", 0, "no system call is named 'opne'" },
	{ "open+opne", 5, "no system call is named 'opne'" },
	{ "%file+opne", 6, "no system call is named 'opne'" },
	{ "%file,%net,x*+dup", 11, "no system call is named 'x*'" },
	{ "dup@x", 0, "no system call is named 'dup@x'" },
	{ "open+@x", 6, "no system call is named '@x'" },
	{ "%file+[", 6, "no ']' for the '[' in '['" },
	{ "%file+/a", 6, "no '/' at the end of this expression" },
	{ "%file+'", 6, "this quote is not closed" },
	{ "%file+", 6, "expected a function or a library" },
	{ "", 0, "an empty filter" },
};

START_TEST(refused)
{
	const char *text = mistakes[_i].text;
	struct filter *filter = NULL;
	struct err err = { "" };
	size_t column = SIZE_MAX;
	int r = call_filter_parse(text, &names, &filter, &column, &err);

	ck_assert_msg(r == -EINVAL, "%s", text);
	ck_assert_msg(column == mistakes[_i].column, "%s: %zu: %s", text,
		      column, err.text);
	ck_assert_str_eq(err.text, mistakes[_i].why);
	ck_assert_ptr_null(filter);
}
END_TEST

/* The calls of one kind of program, in which a class names more. */
START_TEST(one_kind)
{
	const struct call_class more[] = { { "net", "socket,socketcall" } };
	const struct call_names of = { .classes = more,
				       .class_count = array_size(more),
				       .count = count,
				       .name = name,
				       .of = "toy",
				       .classes_name_more = true };
	struct filter *filter = NULL;
	struct err err = { "" };
	size_t column = SIZE_MAX;

	ck_assert_int_eq(call_filter_parse("%net+dup", &of, &filter, &column,
					   &err),
			 0);
	filter_free(filter);
	filter = NULL;
	ck_assert_int_eq(call_filter_parse("%net+socketcall+dup", &of, &filter,
					   &column, &err),
			 -EINVAL);
	ck_assert_uint_eq(column, 5);
	ck_assert_str_eq(err.text,
			 "no system call of toy is named 'socketcall'");
	ck_assert_ptr_null(filter);
}
END_TEST

Suite *
call_filter_suite(void)
{
	Suite *suite = suite_create("call_filter");
	TCase *tests = tcase_create("call_filter");

	tcase_add_loop_test(tests, choices, 0, array_size(rows));
	tcase_add_loop_test(tests, refused, 0, array_size(mistakes));
	tcase_add_test(tests, one_kind);
	suite_add_tcase(suite, tests);
	return suite;
}
