/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which names a pattern matches. */
#include "tests/unit/base/suites.h"

#include "base/pattern.h"

#include <errno.h>
#include <string.h>

enum language { GLOB, REGEX };

struct row {
	enum language language;
	const char *pattern;
	const char *name;
	bool matches;
};

static const struct row rows[] = {
	{ GLOB, "malloc", "malloc", true },
	{ GLOB, "malloc", "mallocx", false },
	{ GLOB, "malloc", "xmalloc", false },
	{ GLOB, "*", "", true },
	{ GLOB, "*", "anything at/all", true },
	{ GLOB, "sqlite3_*", "sqlite3_open", true },
	{ GLOB, "sqlite3_*", "sqlite3", false },
	{ GLOB, "*alloc", "calloc", true },
	{ GLOB, "?alloc", "calloc", true },
	{ GLOB, "?alloc", "alloc", false },
	{ GLOB, "[cm]alloc", "malloc", true },
	{ GLOB, "[!cm]alloc", "malloc", false },
	{ GLOB, "[M]AIN", "MAIN", true },
	{ GLOB, "a\\*b", "a*b", true },
	{ GLOB, "a\\*b", "axb", false },
	{ GLOB, "/usr/lib/*", "/usr/lib/x/liby.so", true },
	{ GLOB, ".*", ".hidden", true },
	{ GLOB, "*", ".hidden", true },
	{ REGEX, "alloc", "malloc", true },
	{ REGEX, "^alloc", "malloc", false },
	{ REGEX, "^[cm]alloc$", "calloc", true },
	{ REGEX, "^m.*c$", "malloc", true },
	{ REGEX, "a+b", "a+b", true },
	{ REGEX, "a+b", "aab", false },
	{ REGEX, "\\(ab\\)*c", "ababc", true },
};

static struct pattern *
compile(const struct row *row)
{
	struct pattern *pattern = NULL;
	struct err err;
	int r = row->language == GLOB
			? pattern_glob(row->pattern, &pattern, &err)
			: pattern_regex(row->pattern, &pattern, &err);

	ck_assert_int_eq(r, 0);
	return pattern;
}

START_TEST(one_name)
{
	const struct row *row = &rows[_i];
	struct pattern *pattern = compile(row);

	ck_assert_msg(pattern_matches(pattern, row->name) == row->matches,
		      "%s on %s", row->pattern, row->name);
	pattern_free(pattern);
}
END_TEST

START_TEST(the_one_name)
{
	static const struct row plain = { GLOB, "malloc", NULL, true };
	static const struct row all = { GLOB, "*", NULL, true };
	static const struct row regex = { REGEX, "malloc", NULL, true };
	struct pattern *pattern = compile(&plain);

	ck_assert_str_eq(pattern_exact(pattern), "malloc");
	ck_assert(!pattern_matches_all(pattern));
	pattern_free(pattern);
	pattern = compile(&all);
	ck_assert_ptr_null(pattern_exact(pattern));
	ck_assert(pattern_matches_all(pattern));
	pattern_free(pattern);
	pattern = compile(&regex);
	ck_assert_ptr_null(pattern_exact(pattern));
	pattern_free(pattern);
	pattern_free(NULL);
}
END_TEST

START_TEST(bad_patterns)
{
	struct pattern *pattern = NULL;
	struct err err;

	ck_assert_int_eq(pattern_glob("", &pattern, &err), -EINVAL);
	ck_assert_int_eq(pattern_regex("a\\(", &pattern, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "'a\\('"));
	ck_assert_int_eq(pattern_regex("[a", &pattern, NULL), -EINVAL);
	ck_assert_ptr_null(pattern);
}
END_TEST

Suite *
pattern_suite(void)
{
	Suite *suite = suite_create("base/pattern");
	TCase *tests = tcase_create("pattern");

	tcase_add_loop_test(tests, one_name, 0, sizeof(rows) / sizeof(rows[0]));
	tcase_add_test(tests, the_one_name);
	tcase_add_test(tests, bad_patterns);
	suite_add_tcase(suite, tests);
	return suite;
}
