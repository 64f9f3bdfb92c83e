/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The language of --inject: what is changed, which calls, and the places of
 * mistakes. */
#include "conf/filter/tampering.h"

#include "base/xmalloc.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>
#include <string.h>

static struct tampering *
parsed(const char *text)
{
	struct tampering *tampering = NULL;
	struct err err = { "" };
	size_t column = 0;

	ck_assert_msg(tampering_parse(text, &tampering, &column, &err) == 0,
		      "%s: %s", text, err.text);
	ck_assert_str_eq(tampering->text, text);
	return tampering;
}

START_TEST(parts)
{
	struct tampering *t =
		parsed("a::f@lib*:retval=-1:error=ENOMEM:delay=1.5ms:when=2");

	ck_assert_str_eq(t->names, "a::f@lib*");
	ck_assert(t->has_result && t->result == -1 && t->error == ENOMEM);
	ck_assert(t->delay == 1500000);
	ck_assert(!tampering_of_system_calls(t));
	tampering_free(t);
	t = parsed("open*-openat@SYS:error=4095");
	ck_assert(tampering_of_system_calls(t));
	ck_assert(!t->has_result && t->error == 4095);
	tampering_free(t);
	t = parsed("f:retval=0xffffffffffffffff");
	ck_assert(t->result == -1);
	tampering_free(t);
	t = parsed("f:retval=-0x8000000000000000");
	ck_assert(t->result == INT64_MIN);
	tampering_free(t);
	tampering_free(NULL);
}
END_TEST

static const struct {
	const char *when;
	/* of the first ten calls, x for a call that is changed */
	const char *calls;
} whens[] = {
	{ "1", "x........." },	    { "3", "..x......." },
	{ "03", "..x......." },	    { "3+", "..xxxxxxxx" },
	{ "3+1", "..xxxxxxxx" },    { "2+3", ".x..x..x.." },
	{ "2..4", ".xxx......" },   { "2..2", ".x........" },
	{ "1..8+3", "x..x..x..." }, { "2..9+100", ".x........" },
};

START_TEST(which)
{
	cleanup(freep) char *text =
		xasprintf("f:when=%s:retval=0", whens[_i].when);
	struct tampering *t = parsed(text);
	char calls[11] = "";

	for (int i = 0; i < 10; i++)
		calls[i] = tampering_takes(t) ? 'x' : '.';
	ck_assert_str_eq(calls, whens[_i].calls);
	tampering_free(t);
}
END_TEST

static const struct {
	const char *text;
	size_t column;
	const char *why;
} mistakes[] = {
	{ "", 0, "expected a function" },
	{ ":retval=1", 0, "expected a function" },
	{ "f", 1, "expected retval=, error= or delay=" },
	{ "f:when=1", 8, "expected retval=, error= or delay=" },
	{ "f:retval=", 9, "expected a number of 64 bits" },
	{ "f:retval=- 1", 9, "expected a number of 64 bits" },
	{ "f:retval=18446744073709551616", 9, "expected a number" },
	{ "f:retval=1:retval=2", 11, "twice" },
	{ "f:retval=1:", 11, "expected retval=, error=, delay= or when=" },
	{ "f:retval=1:x", 11, "expected retval=, error=, delay= or when=" },
	{ "f:ret=1", 2, "expected retval=, error=, delay= or when=" },
	{ "f:retval=1:error=EVERY", 17, "an error such as EIO" },
	{ "f:retval=1:error=0", 17, "an error such as EIO" },
	{ "f:retval=1:error=4096", 17, "an error such as EIO" },
	{ "f:error=EIO", 2, "what the function returns" },
	{ "f@SYS:retval=0:error=EIO", 6, "a system call that fails" },
	{ "f:delay=1", 8, "a time with a unit" },
	{ "f:delay=0ms", 8, "a time with a unit" },
	{ "f:delay=", 8, "a time with a unit" },
	{ "f:retval=1:when=", 16, "expected FIRST" },
	{ "f:retval=1:when=0", 16, "expected FIRST" },
	{ "f:retval=1:when=2x", 17, "expected FIRST" },
	{ "f:retval=1:when=2+0", 18, "expected FIRST" },
	{ "f:retval=1:when=2+1+", 19, "expected FIRST" },
	{ "f:retval=1:when=2..", 19, "expected FIRST" },
	{ "f:retval=1:when=2..3+", 20, "expected FIRST" },
	{ "f:retval=1:when=2..1", 19, "the last call is before" },
};

START_TEST(refused)
{
	struct tampering *t = NULL;
	struct err err = { "" };
	size_t column = 99;

	ck_assert_int_eq(tampering_parse(mistakes[_i].text, &t, &column, &err),
			 -EINVAL);
	ck_assert_msg(column == mistakes[_i].column, "%s: %zu: %s",
		      mistakes[_i].text, column, err.text);
	ck_assert_msg(strstr(err.text, mistakes[_i].why) != NULL, "%s: %s",
		      mistakes[_i].text, err.text);
	ck_assert_ptr_null(t);
}
END_TEST

Suite *
tampering_suite(void)
{
	Suite *suite = suite_create("tampering");
	TCase *tests = tcase_create("tampering");

	tcase_add_test(tests, parts);
	tcase_add_loop_test(tests, which, 0, array_size(whens));
	tcase_add_loop_test(tests, refused, 0, array_size(mistakes));
	suite_add_tcase(suite, tests);
	return suite;
}
