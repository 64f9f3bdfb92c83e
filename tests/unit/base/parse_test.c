/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers in the user's notation, and wrong ones. */
#include "tests/unit/base/suites.h"

#include "base/parse.h"

#include <errno.h>

#define SECOND UINT64_C(1000000000)

struct row {
	int (*parse)(const char *text, uint64_t *ret_value);
	const char *text;
	int result;
	uint64_t value;
};

static int
parse_any(const char *text, uint64_t *ret_value)
{
	return parse_unsigned(text, UINT64_MAX, ret_value);
}

static int
parse_byte(const char *text, uint64_t *ret_value)
{
	return parse_unsigned(text, 255, ret_value);
}

static const struct row rows[] = {
	{ parse_any, "0", 0, 0 },
	{ parse_any, "10", 0, 10 },
	{ parse_any, "0x1F", 0, 31 },
	{ parse_any, "017", 0, 15 },
	{ parse_any, "18446744073709551615", 0, UINT64_MAX },
	{ parse_any, "18446744073709551616", -ERANGE, 0 },
	{ parse_any, "", -EINVAL, 0 },
	{ parse_any, "-1", -EINVAL, 0 },
	{ parse_any, "+1", -EINVAL, 0 },
	{ parse_any, " 1", -EINVAL, 0 },
	{ parse_any, "1 ", -EINVAL, 0 },
	{ parse_any, "1x", -EINVAL, 0 },
	{ parse_any, "0x", -EINVAL, 0 },
	{ parse_any, "08", -EINVAL, 0 },
	{ parse_byte, "255", 0, 255 },
	{ parse_byte, "256", -ERANGE, 0 },
	{ parse_duration, "1", 0, SECOND },
	{ parse_duration, "1s", 0, SECOND },
	{ parse_duration, "1.5s", 0, SECOND * 3 / 2 },
	{ parse_duration, "10ms", 0, SECOND / 100 },
	{ parse_duration, "250us", 0, SECOND / 4000 },
	{ parse_duration, "20ns", 0, 20 },
	{ parse_duration, "0.5ms", 0, SECOND / 2000 },
	{ parse_duration, "3m", 0, SECOND * 180 },
	{ parse_duration, "1h", 0, SECOND * 3600 },
	{ parse_duration, "0", 0, 0 },
	{ parse_duration, "", -EINVAL, 0 },
	{ parse_duration, ".5s", -EINVAL, 0 },
	{ parse_duration, "1.2.3s", -EINVAL, 0 },
	{ parse_duration, "1e3s", -EINVAL, 0 },
	{ parse_duration, "0x10s", -EINVAL, 0 },
	{ parse_duration, "1 s", -EINVAL, 0 },
	{ parse_duration, "1d", -EINVAL, 0 },
	{ parse_duration, "-1s", -EINVAL, 0 },
	{ parse_duration, "inf", -EINVAL, 0 },
	{ parse_duration, "99999999999h", -ERANGE, 0 },
};

START_TEST(one_number)
{
	const struct row *row = &rows[_i];
	uint64_t value = 777;
	int r = row->parse(row->text, &value);

	ck_assert_msg(r == row->result, "'%s': %d", row->text, r);
	ck_assert_msg(value == (r < 0 ? 777 : row->value), "'%s': %lu",
		      row->text, value);
}
END_TEST

Suite *
parse_suite(void)
{
	Suite *suite = suite_create("base/parse");
	TCase *tests = tcase_create("parse");

	tcase_add_loop_test(tests, one_number, 0,
			    sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
