/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters of SDT probes: what they choose in a small world, the places of
 * mistakes, and what is known of rules that match nothing. */
#include "conf/filter/sdt_filter.h"

#include "base/str.h"
#include "conf/filter/filter.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <string.h>

static const struct filter_module modules[] = {
	{ "prog", "/usr/bin/prog", NULL, true },
	{ "lib-a+b.so.1", "/usr/lib/lib-a+b.so.1", NULL, false },
};

static const char *const probes[][2] = {
	{ "ruby", "line" },
	{ "ruby", "gc__begin" },
	{ "ruby", "gc__end" },
	{ "php", "line" },
};

/* Lists everything that the filter chooses, as "ruby:line@prog ", in this
 * order. */
static void
choose(struct sdt_filter *filter, struct str *to)
{
	for (size_t m = 0; m < array_size(modules); m++) {
		for (size_t p = 0; p < array_size(probes); p++) {
			if (sdt_filter_chooses(filter, &modules[m],
					       probes[p][0], probes[p][1]))
				str_addf(to, "%s%s:%s@%c",
					 to->length ? " " : "", probes[p][0],
					 probes[p][1], modules[m].label[0]);
		}
	}
}

static const struct {
	const char *filter, *chosen;
} rows[] = {
	{ "%ruby:line", "ruby:line@p ruby:line@l" },
	{ "+%ruby:line", "ruby:line@p ruby:line@l" },
	{ "%ruby:gc__*@MAIN", "ruby:gc__begin@p ruby:gc__end@p" },
	{ "%ruby:gc__*@lib-a+b.so.1", "ruby:gc__begin@l ruby:gc__end@l" },
	{ "%ruby:*@lib-*-%ruby:gc*", "ruby:line@l" },
	{ "%*:line,gc__end@prog", "ruby:line@p ruby:gc__end@p php:line@p" },
	{ "%[pr]*:[!gl]*+%php:l[-+i]ne@p*", "php:line@p" },
	{ "%*:*!%ruby:*!%*:*@lib*", "php:line@p" },
	{ "%perl:*", "" },
};

START_TEST(chosen)
{
	struct sdt_filter *filter;
	struct err err = { "" };
	struct str text;
	size_t column;

	ck_assert_msg(sdt_filter_parse(rows[_i].filter, &filter, &column,
				       &err) == 0,
		      "%s", err.text);
	str_init(&text);
	choose(filter, &text);
	ck_assert_str_eq(str_text(&text), rows[_i].chosen);
	str_release(&text);
	sdt_filter_free(filter);
}
END_TEST

static const struct {
	const char *filter;
	size_t column;
	const char *why;
} mistakes[] = {
	{ "%", 1, "expected a provider behind %" },
	{ "%a", 2, "expected : and the name of a probe" },
	{ "%a@b", 2, "expected : and the name of a probe" },
	{ "%a:", 3, "expected the name of a probe" },
	{ "%a:b,", 5, "expected the name of a probe" },
	{ "%a:b:c", 4, "expected + or - before the next probe" },
	{ "%a:b%c:d", 4, "expected + or - before the next probe" },
	{ "%a:b+c", 5, "expected % and the probe's provider" },
	{ "-%a:b", 0, "there is nothing to leave this out of" },
	{ "%a:b@", 5, "expected a library" },
	{ "%a:b@+%c:d", 5, "expected a library" },
	{ "%a:b[", 3, "expected a ] behind this [" },
	{ "%a b:c", 2, "names of probes have no blanks" },
	{ "% a:b", 1, "names of probes have no blanks" },
	{ "%a:b,\tc", 5, "names of probes have no blanks" },
	{ "%a:[x ]", 5, "names of probes have no blanks" },
};

START_TEST(wrong)
{
	struct sdt_filter *filter;
	struct err err = { "" };
	size_t column = 99;

	ck_assert_int_eq(sdt_filter_parse(mistakes[_i].filter, &filter, &column,
					  &err),
			 -EINVAL);
	ck_assert_str_eq(err.text, mistakes[_i].why);
	ck_assert_uint_eq(column, mistakes[_i].column);
}
END_TEST

START_TEST(rules)
{
	struct sdt_filter *filter;
	struct sdt_rule_seen rule;
	struct err err = { "" };
	struct str text;
	size_t column;

	ck_assert(sdt_filter_meant("%a:b") && sdt_filter_meant("-%a:b"));
	ck_assert(!sdt_filter_meant("a%b") && !sdt_filter_meant("-a") &&
		  !sdt_filter_meant(""));
	ck_assert_int_eq(sdt_filter_parse("%ruby:line,nosuch@prog-%*:x+%p*:y",
					  &filter, &column, &err),
			 0);
	str_init(&text);
	choose(filter, &text);
	str_release(&text);
	ck_assert(sdt_filter_rule(filter, 0, &rule));
	ck_assert_str_eq(rule.text, "%ruby:line@prog");
	ck_assert_str_eq(rule.provider, "ruby");
	ck_assert(rule.provider_seen && rule.matched);
	ck_assert(sdt_filter_rule(filter, 1, &rule));
	ck_assert_str_eq(rule.text, "%ruby:nosuch@prog");
	ck_assert(rule.provider_seen && !rule.matched);
	ck_assert(sdt_filter_rule(filter, 2, &rule));
	ck_assert_str_eq(rule.text, "%p*:y");
	ck_assert_ptr_null(rule.provider);
	ck_assert(!sdt_filter_rule(filter, 3, &rule));
	sdt_filter_free(filter);
}
END_TEST

Suite *
sdt_filter_suite(void)
{
	Suite *suite = suite_create("sdt_filter");
	TCase *cases = tcase_create("sdt_filter");

	tcase_add_loop_test(cases, chosen, 0, (int)array_size(rows));
	tcase_add_loop_test(cases, wrong, 0, (int)array_size(mistakes));
	tcase_add_test(cases, rules);
	suite_add_tcase(suite, cases);
	return suite;
}
