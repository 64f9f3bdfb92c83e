/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fetching arguments, as far as a compiler cannot check it (abi_test does the
 * rest): formats and their arguments, arguments that are read at the return,
 * unreadable memory, and the number of reads.
 */
#include "base/attr.h"
#include "tests/unit/values/scene.h"
#include "tests/unit/values/suites.h"
#include "values/show.h"

#include <string.h>

#define T 0x10000u
#define F 0x10400u
#define NOWHERE 0xdead0000u

static const struct show_look look = { .string_length = 32, .array_length = 4 };
static struct scene scene;

static void
setup(void)
{
	scene_init(&scene);
	memory_put_text(&scene.memory, T, "hello");
}

static void
teardown(void)
{
	scene_release(&scene);
}

static void
check_shown(const char *shown)
{
	struct str str = { 0 };

	show_arguments(&str, scene.arguments, &look, SHOW_ALL);
	ck_assert_str_eq(str_text(&str), shown);
	str_release(&str);
}

static const struct {
	const char *format;
	const char *shown;
	uint64_t integers[8];
	double doubles[3];
} formats[] = {
	{ "%d", "\"%d\", -1", { F, UINT32_MAX }, { 0 } },
	{ "%*d %.*s %-10s|",
	  "\"%*d %.*s %-10s|\", 5, 42, 3, \"hel\", \"hello\"",
	  { F, 5, 42, 3, T, T },
	  { 0 } },
	{ "%.2s %.*s",
	  "\"%.2s %.*s\", \"he\", -1, \"hello\"",
	  { F, T, UINT32_MAX, T },
	  { 0 } },
	{ "%c%c %x %o %p %s",
	  "\"%c%c %x %o %p %s\", 'a', '\\n', 0xff, 010, "
	  "0x10000, nil",
	  { F, 'a', '\n', 255, 8, T, 0 },
	  { 0 } },
	{ "%f %d %g", "\"%f %d %g\", 1.5, 7, 0.25", { F, 7 }, { 1.5, 0.25 } },
	{ "%d %d %d %d %d %d %d",
	  "\"%d %d %d %d %d %d %d\", 1, 2, 3, 4, 5, 6, 7",
	  { F, 1, 2, 3, 4, 5, 6, 7 },
	  { 0 } },
	{ "%Lf %d",
	  "\"%Lf %d\", 1.5, 7",
	  { F, 7, 0, 0, 0, 0, 0xc000000000000000, 0x3fff },
	  { 0 } },
	{ "%2$s %1$d", "\"%2$s %1$d\", 5, \"hello\"", { F, 5, T }, { 0 } },
};

START_TEST(a_format_tells_what_follows)
{
	memory_put_text(&scene.memory, F, formats[_i].format);
	scene_integers(&scene, formats[_i].integers, 8);
	scene_doubles(&scene, formats[_i].doubles, 3);
	scene_enter(&scene, "int f(format);");
	check_shown(formats[_i].shown);
}
END_TEST

START_TEST(a_format_is_not_cut_like_a_text)
{
	static const uint64_t given[] = { F, 42 };
	char format[200];

	memset(format, '.', sizeof(format));
	strcpy(format + 150, "%d");
	memory_put_text(&scene.memory, F, format);
	scene_integers(&scene, given, 2);
	scene_enter(&scene, "int f(format);");
	check_shown("\"................................\"..., 42");
}
END_TEST

START_TEST(a_format_that_cannot_be_read_tells_nothing)
{
	static const uint64_t given[] = { NOWHERE, 42 };

	scene_integers(&scene, given, 2);
	scene_enter(&scene, "int f(format);");
	check_shown("0xdead0000");
}
END_TEST

START_TEST(a_stack_that_cannot_be_read_is_said)
{
	static const uint64_t given[] = { 1, 2, 3, 4, 5, 6 };

	scene_integers(&scene, given, 6);
	scene.regs.gpr.rsp = NOWHERE;
	scene_enter(&scene, "int f(int,int,int,int,int,int,int,string);");
	check_shown("1, 2, 3, 4, 5, 6, ?, ?");
}
END_TEST

static const struct vregs *
no_vregs(struct registers *registers)
{
	(void)registers;
	return NULL;
}

START_TEST(vector_registers_may_be_missing)
{
	scene.registers.vregs = no_vregs;
	scene.regs.gpr.rdi = 7;
	scene_enter(&scene, "double f(int, double, float);");
	check_shown("7, ?, ?");
	scene_return(&scene, 0, 0);
	ck_assert_ptr_nonnull(scene.arguments->result);
}
END_TEST

/* Vector registers are read by a system call, which is made only if an argument
 * needs one of them. */
static const struct vregs *
forbidden_vregs(struct registers *registers)
{
	(void)registers;
	ck_abort_msg("nobody needs them");
}

START_TEST(vector_registers_are_fetched_where_needed)
{
	scene.registers.vregs = forbidden_vregs;
	scene_enter(&scene, "int f(int, string, struct(int, long));");
	scene_return(&scene, 0, 0);
	library_free(scene.library);
	scene.library = NULL;
	scene_enter(&scene, NULL);
	scene_return(&scene, 0, 0);
}
END_TEST

START_TEST(a_text_costs_one_read)
{
	static const uint64_t given[] = { 1, T, 5 };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, "int f(addr, string, ulong);");
	ck_assert_uint_eq(scene.memory.reads, 0);
	check_shown("0x1, \"hello\", 5");
	ck_assert_uint_eq(scene.memory.reads, 1);
	check_shown("0x1, \"hello\", 5");
	arguments_keep(scene.arguments, 32, 4);
	ck_assert_uint_eq(scene.memory.reads, 1);
}
END_TEST

/* A set of bits is one value, and can be longer than one read of memory. */
START_TEST(a_set_of_bits_is_kept_whole)
{
	static const uint64_t given[] = { T, 1024 };

	memory_put_u64(&scene.memory, T, 5);
	memory_put_u64(&scene.memory, T + 1016, 1);
	scene_integers(&scene, given, 2);
	scene_enter(&scene, "int f(bitvec(array(char, arg2))*, ulong);");
	arguments_keep(scene.arguments, 32, 4);
	capture_seal(&scene.entry);
	check_shown("<0,2,8128>, 1024");
}
END_TEST

START_TEST(the_stack_costs_one_read)
{
	static const uint64_t given[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

	scene_integers(&scene, given, array_size(given));
	scene_enter(&scene, "int f(int,int,int,int,int,int,int,int,int,int);");
	check_shown("1, 2, 3, 4, 5, 6, 7, 8, 9, 10");
	ck_assert_uint_eq(scene.memory.reads, 1);
}
END_TEST

START_TEST(an_overwritten_stack_does_not_matter)
{
	static const uint64_t given[] = { 1, 2, 3, 4, 5, 6, 7, T };

	scene_integers(&scene, given, array_size(given));
	scene_enter(&scene, "int f(int,int,int,int,int,int,int,+string);");
	memory_put_u64(&scene.memory, SCENE_STACK + 8, 99);
	memory_put_u64(&scene.memory, SCENE_STACK + 16, 99);
	memory_put_text(&scene.memory, T, "filled");
	scene_return(&scene, 0, 0);
	check_shown("1, 2, 3, 4, 5, 6, 7, \"filled\"");
}
END_TEST

START_TEST(a_hidden_pointer_comes_first)
{
	static const uint64_t given[] = { 0x5000, 7, T };

	scene_integers(&scene, given, 3);
	scene_enter(&scene, "struct(long,long,long) f(int, string);");
	check_shown("7, \"hello\"");
	library_free(scene.library);
	scene_enter(&scene, "struct(long,long) f(int, addr);");
	check_shown("20480, 0x7");
}
END_TEST

Suite *
fetch_suite(void)
{
	Suite *suite = suite_create("fetch");
	TCase *tcase = tcase_create("fetch");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_loop_test(tcase, a_format_tells_what_follows, 0,
			    array_size(formats));
	tcase_add_test(tcase, a_format_is_not_cut_like_a_text);
	tcase_add_test(tcase, a_format_that_cannot_be_read_tells_nothing);
	tcase_add_test(tcase, a_stack_that_cannot_be_read_is_said);
	tcase_add_test(tcase, vector_registers_may_be_missing);
	tcase_add_test(tcase, vector_registers_are_fetched_where_needed);
	tcase_add_test(tcase, a_text_costs_one_read);
	tcase_add_test(tcase, a_set_of_bits_is_kept_whole);
	tcase_add_test(tcase, the_stack_costs_one_read);
	tcase_add_test(tcase, an_overwritten_stack_does_not_matter);
	tcase_add_test(tcase, a_hidden_pointer_comes_first);
	suite_add_tcase(suite, tcase);
	return suite;
}
