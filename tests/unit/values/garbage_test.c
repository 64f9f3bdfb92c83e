/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whatever is in the tracee's memory and registers, there is no crash, and the
 * walk ends soon. The memory consists of random words, many of which are
 * addresses in it, so that pointers lead to more pointers. The types are
 * random, and some are nested without limit.
 */
#include "base/attr.h"
#include "tests/unit/values/random_type.h"
#include "tests/unit/values/scene.h"
#include "tests/unit/values/suites.h"
#include "values/show.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 200u
#define SPACE 0x10000u
#define TEXT_MOST (1u << 20)
#define READS_MOST 20000u

static struct random random_state;

struct garbage {
	struct reader reader;
	unsigned reads;
	unsigned flavour;
};

/* The word at an address; each byte depends on its address only. */
static uint64_t
word_at(const struct garbage *garbage, addr_t address)
{
	uint64_t mixed =
		(address / 8 + garbage->flavour) * UINT64_C(0x9e3779b97f4a7c15);

	mixed ^= mixed >> 29;
	switch (mixed % 4) {
	case 0:
		return mixed % SPACE;
	case 1:
		return mixed % 16;
	case 2:
		return 0;
	default:
		return mixed;
	}
}

static int
garbage_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	struct garbage *garbage = container_of(reader, struct garbage, reader);
	unsigned char *bytes = to;

	garbage->reads++;
	for (size_t i = 0; i < len; i++) {
		addr_t at = from + i;

		if (garbage->flavour % 2 ? at >= SPACE : at / 4096 % 5 == 3)
			return -EFAULT;
		bytes[i] = (unsigned char)(word_at(garbage, at) >> at % 8 * 8);
	}
	return 0;
}

static const char *const declarations[] = {
	"typedef l = struct;\n"
	"typedef l = struct(int, l*, l*, string, array(l*, 4));\n"
	"l* f(l*, l*, l*, l*);",
	"string f(format, string, string[arg5], int*, long);",
	"typedef p = struct;\ntypedef p = struct(p*);\n"
	"p* f(p*, array(p*, arg3)*, ulong, +p*, p**);",
	"typedef a = array(array(array(array(array(int, 9), 9), 9), 9), 9);\n"
	"void f(a*, a**, array(a, arg4)*, long, array(int, zero)*);",
	"struct(int, array(struct(long, array(char, elt1)), elt1))* "
	"f(struct(int, array(struct(long, array(char, elt1)), elt1))*);",
	"void f(string(array(int,zero)*), bitvec(array(char, 100000))*, "
	"array(string, arg3)*, int, array(hide(int), arg4)*);",
	"struct s { struct s *next; union { char *text; double d; long n; }; "
	"int count; char tail[count]; };\n"
	"struct s f(in struct s *a, inout struct s *b, struct s c, sql, "
	"string[arg2.count]);",
	"errno(long) f(errnum(int*), bool(char*), +string0, bytes[retval]);",
	NULL,
};

static void
check_shown(struct scene *scene, const struct garbage *garbage,
	    const struct show_look *look)
{
	struct str str = { 0 };

	show_arguments(&str, scene->arguments, look, SHOW_ALL);
	str_add_char(&str, '=');
	show_result(&str, scene->arguments->result, 2, look);
	ck_assert_uint_lt(str.length, TEXT_MOST);
	ck_assert_uint_lt(garbage->reads, READS_MOST);
	str_release(&str);
}

static void
random_registers(struct scene *scene, const struct garbage *garbage)
{
	unsigned char *bytes = (unsigned char *)&scene->vregs;
	uint64_t given[6];

	for (size_t i = 0; i < array_size(given); i++)
		given[i] = word_at(garbage, random_below(&random_state, SPACE));
	scene_integers(scene, given, array_size(given));
	scene->regs.gpr.rax = given[0];
	scene->regs.gpr.rsp = random_below(&random_state, SPACE);
	for (size_t i = 0; i < sizeof(scene->vregs); i++)
		bytes[i] = (unsigned char)random_below(&random_state, 256);
}

static void
run(const char *text, unsigned flavour)
{
	static const struct show_look looks[] = {
		{ .string_length = 32, .array_length = 4 },
		{ .string_length = 100, .array_length = 1000, .names = true },
		{ .string_length = 0, .array_length = 0, .as_ltrace = true },
	};
	const struct show_look *look = &looks[flavour % array_size(looks)];
	struct garbage garbage = { { .read = garbage_read }, 0, flavour };
	struct scene *scene = malloc(sizeof(*scene));
	const struct proto *proto;

	scene_init(scene);
	scene_enter(scene, text);
	proto = scene->arguments->proto;
	random_registers(scene, &garbage);
	capture_init(&scene->entry, &garbage.reader, &scene->arena);
	scene->arguments = arguments_fetch(proto, &scene->registers,
					   &scene->entry, &scene->arena);
	check_shown(scene, &garbage, look);
	arguments_keep(scene->arguments, look->string_length,
		       look->array_length);
	capture_seal(&scene->entry);
	capture_init(&scene->back, &garbage.reader, &scene->arena);
	arguments_result(scene->arguments, &scene->registers, &scene->back);
	check_shown(scene, &garbage, look);
	scene_release(scene);
	free(scene);
}

START_TEST(declared_types)
{
	random_init(&random_state, 7);
	for (unsigned i = 0; i < ROUNDS; i++)
		run(declarations[_i], i);
	random_release(&random_state);
}
END_TEST

START_TEST(random_types)
{
	static const struct show_look look = { .string_length = 32,
					       .array_length = 4 };

	for (unsigned i = 0; i < ROUNDS; i++) {
		struct garbage garbage = { { .read = garbage_read }, 0, i };
		struct arena arena;
		struct capture capture;
		struct str str = { 0 };
		struct value value;

		random_init(&random_state, i);
		arena_init(&arena);
		capture_init(&capture, &garbage.reader, &arena);
		value_at(&value, random_type(&random_state),
			 random_below(&random_state, SPACE), &capture, NULL);
		show_value(&str, &value, &look);
		ck_assert_uint_lt(str.length, TEXT_MOST);
		str_release(&str);
		arena_release(&arena);
		random_release(&random_state);
	}
}
END_TEST

Suite *
garbage_suite(void)
{
	Suite *suite = suite_create("garbage");
	TCase *tcase = tcase_create("garbage");

	tcase_set_timeout(tcase, 300); /* for a busy machine */
	tcase_add_loop_test(tcase, declared_types, 0, array_size(declarations));
	tcase_add_test(tcase, random_types);
	suite_add_tcase(suite, tcase);
	return suite;
}
