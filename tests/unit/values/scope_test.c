/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of arguments in expressions, as in --if. */
#include "base/attr.h"
#include "conf/parse/condition.h"
#include "tests/unit/values/scene.h"
#include "tests/unit/values/suites.h"
#include "values/scope.h"

#include <errno.h>
#include <string.h>

#define T 0x10000u
#define I 0x10100u
#define P 0x10200u

#define DECLARATIONS                                                        \
	"struct in { short s; };\n"                                         \
	"struct p { int x; const char *name; struct { long z; };\n"         \
	"  struct in in; struct p *self; };\n"                              \
	"int f(const char *q, int __n, in int *i, struct p *p, double d,\n" \
	"      void *a, unsigned long u, struct in by_value);\n"

static struct scene scene;

static void
setup(void)
{
	static const uint64_t given[] = { T,	  (uint64_t)-7, I, P,
					  0x1234, UINT64_MAX,	77 };
	static const double real = 2.5;
	const int seven = 7;

	scene_init(&scene);
	memory_put_text(&scene.memory, T, "select * from users");
	memory_put(&scene.memory, I, &seven, sizeof(seven));
	memory_put_u64(&scene.memory, P, 11);
	memory_put_u64(&scene.memory, P + 8, T);
	memory_put_u64(&scene.memory, P + 16, 33);
	memory_put_u64(&scene.memory, P + 24, 44);
	memory_put_u64(&scene.memory, P + 32, P);
	scene_integers(&scene, given, array_size(given));
	scene_doubles(&scene, &real, 1);
	scene_enter(&scene, DECLARATIONS);
}

static void
teardown(void)
{
	scene_release(&scene);
}

/* Evaluates the condition: 1 or 0, or the error. */
static int
holds(const char *text)
{
	struct condition *condition;
	struct scope scope;
	struct err err;
	size_t column;
	bool is_true;
	int r = condition_parse(text, &condition, &column, &err);

	ck_assert_msg(r == 0, "%s: %s", text, err.text);
	scope_init(&scope, scene.arguments, NULL);
	r = expr_true(condition_expr(condition), &scope.expr, &is_true);
	condition_free(condition);
	return r < 0 ? r : is_true;
}

static const struct {
	const char *condition;
	int result;
} rows[] = {
	{ "arg1 ~ /users/", 1 },
	{ "q ~ /^users/", 0 },
	{ "q !~ /insert/", 1 },
	{ "q == \"select * from users\"", 1 },
	{ "arg2 == -7", 1 },
	{ "n < 0", 1 },
	{ "__n < 0", 1 },
	{ "arg2 == 7", 0 },
	{ "i == 7", 1 },
	{ "arg3 > 6 && arg3 < 8", 1 },
	{ "d == 2.5", 1 },
	{ "d > 2 && d < 3", 1 },
	{ "a == 0x1234", 1 },
	{ "u > 9223372036854775807", 1 },
	{ "u < 0", 0 },
	{ "p.x == 11", 1 },
	{ "p.z == 33", 1 },
	{ "p.name ~ /^select/", 1 },
	{ "p.in.s == 44", 1 },
	{ "p.self.self.z == 33", 1 },
	{ "by_value.s == 77", 1 },
	{ "p.nothing == 1", -ENODATA },
	{ "n.x == 1", -ENODATA },
	{ "retval < 0", -ENODATA },
	{ "retval < 0 || n == -7", -ENODATA },
	{ "n == -7 || retval < 0", 1 },
	{ "nobody == 1", -ENODATA },
	{ "arg9 == 1", -ENODATA },
	{ "by_value == 1", -EDOM },
};

START_TEST(a_condition_is_evaluated)
{
	ck_assert_int_eq(holds(rows[_i].condition), rows[_i].result);
}
END_TEST

START_TEST(the_result_is_known_at_the_return)
{
	scene_return(&scene, UINT32_MAX, 0);
	ck_assert_int_eq(holds("retval == -1"), 1);
	ck_assert_int_eq(holds("retval < 0 && n < 0"), 1);
}
END_TEST

START_TEST(what_was_kept_for_it_is_known_at_the_return)
{
	struct condition *condition;
	size_t column;
	int r = condition_parse("retval < 0 && q ~ /users/ && p.self.z == 33",
				&condition, &column, NULL);

	ck_assert_int_eq(r, 0);
	arguments_keep_for(scene.arguments, condition_expr(condition));
	condition_free(condition);
	memory_put_text(&scene.memory, T, "other");
	memory_put_u64(&scene.memory, P + 32, 0);
	scene_return(&scene, UINT32_MAX, 0);
	ck_assert_int_eq(holds("q ~ /users/ && p.self.z == 33"), 1);
}
END_TEST

START_TEST(nil_is_nought)
{
	scene.regs.gpr.rdi = scene.regs.gpr.rdx = 0;
	scene.arguments =
		arguments_fetch(scene.arguments->proto, &scene.registers,
				&scene.entry, &scene.arena);
	ck_assert_int_eq(holds("q == 0"), 1);
	ck_assert_int_eq(holds("i == 0"), 1);
	ck_assert_int_eq(holds("q"), 0);
}
END_TEST

Suite *
scope_suite(void)
{
	Suite *suite = suite_create("scope");
	TCase *tcase = tcase_create("scope");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_condition_is_evaluated, 0,
			    array_size(rows));
	tcase_add_test(tcase, the_result_is_known_at_the_return);
	tcase_add_test(tcase, what_was_kept_for_it_is_known_at_the_return);
	tcase_add_test(tcase, nil_is_nought);
	suite_add_tcase(suite, tcase);
	return suite;
}
