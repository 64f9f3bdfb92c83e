/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of traceparent that the specification allows, and others. */
#include "protocols/traceparent.h"

#include "base/attr.h"
#include "tests/unit/protocols/suites.h"

#include <stdlib.h>
#include <string.h>

#define TRACE "0af7651916cd43dd8448eb211c80319c"
#define PARENT "b7ad6b7169203331"
#define ZEROS "0000000000000000"

static const struct row {
	const char *text;
	int flags; /* -1: malformed */
} rows[] = {
	{ "00-" TRACE "-" PARENT "-01", 1 },
	{ "00-" TRACE "-" PARENT "-00", 0 },
	{ "00-" TRACE "-" PARENT "-03", 3 },
	{ "00-" TRACE "-" PARENT "-ff", 3 },
	{ "01-" TRACE "-" PARENT "-01", 1 },
	{ "cc-" TRACE "-" PARENT "-01-", 1 },
	{ "cc-" TRACE "-" PARENT "-01-what", 1 },
	{ "cc-" TRACE "-" PARENT "-01.what", -1 },
	{ "00-" TRACE "-" PARENT "-01-", -1 },
	{ "00-" TRACE "-" PARENT "-01-what", -1 },
	{ "00-" TRACE "-" PARENT "-1", -1 },
	{ "00-" TRACE "-" PARENT "-0g", -1 },
	{ "00-" TRACE "-" PARENT "-", -1 },
	{ "00-" TRACE "-" PARENT, -1 },
	{ "00-" TRACE "-b7ad6b716920333-01", -1 },
	{ "00-" TRACE "-B7AD6B7169203331-01", -1 },
	{ "00-0af7651916cd43dd8448eb211c80319-" PARENT "-01", -1 },
	{ "00-" ZEROS ZEROS "-" PARENT "-01", -1 },
	{ "00-" TRACE "-" ZEROS "-01", -1 },
	{ "ff-" TRACE "-" PARENT "-01", -1 },
	{ "0-" TRACE "-" PARENT "-01", -1 },
	{ "00_" TRACE "_" PARENT "_01", -1 },
	{ " 00-" TRACE "-" PARENT "-01", -1 },
	{ "00-" TRACE "-" PARENT "-01 ", -1 },
	{ "", -1 },
};

START_TEST(values)
{
	const struct row *row = &rows[_i];
	size_t length = strlen(row->text);
	/* A copy without a NUL: a sanitizer sees what is read beyond it. */
	char *text = malloc(length ? length : 1);
	struct traceparent parent;
	bool good;

	memcpy(text, row->text, length);
	good = traceparent_read(text, length, &parent);
	ck_assert_msg(good == (row->flags >= 0), "%s", row->text);
	if (good) {
		ck_assert_str_eq(parent.trace, TRACE);
		ck_assert_str_eq(parent.parent, PARENT);
		ck_assert_int_eq(parent.flags, row->flags);
	}
	free(text);
}
END_TEST

Suite *
traceparent_suite(void)
{
	Suite *suite = suite_create("traceparent");
	TCase *tests = tcase_create("traceparent");

	tcase_add_loop_test(tests, values, 0, (int)array_size(rows));
	suite_add_tcase(suite, tests);
	return suite;
}
