/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header traceparent in Rack's env, from objects as Ruby 3.1 has them, and
 * from damaged ones. */
#include "stacks/ruby_traceparent.h"

#include "base/attr.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#define TEXT "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
#define NAME "HTTP_TRACEPARENT"
#define OBJECT 0x01
#define CLASS 0x02
#define HASH 0x08
#define SINGLETON (1 << 12)
#define WITHIN (1 << 13)
#define LARGE (1 << 15)
#define ELSEWHERE (1 << 13)
#define LOCAL 0x2u
#define LAMBDA 0x100u
#define SERIAL 11u
#define ID (SERIAL << 4 | 1)
#define NIL 8u

static const struct ruby_layout layout = {
	.version = RUBY_TABLE_VERSION,
	.local_iseq = 176,
	.string_embedded = 16,
	.last_operator = 169,
};

static struct {
	struct image_memory memory;
	addr_t table, text, frame;
	bool found;
} image;

static addr_t
make_string(const char *text)
{
	addr_t string = image_room(&image.memory, 40);

	image_put(string, RUBY_STRING | ELSEWHERE);
	image_put(string + 16, strlen(text));
	image_put(string + 24, image_text(&image.memory, text));
	return string;
}

static addr_t
make_array(const addr_t *values, size_t count)
{
	addr_t array = image_room(&image.memory, 16 + 8 * count);

	image_put(array, RUBY_ARRAY | WITHIN);
	memcpy((void *)(array + 16), values, 8 * count);
	return array;
}

/* The table of symbols, with one name. */
static void
make_names(void)
{
	addr_t unit[2 * (SERIAL + 1)] = { 0 }, units;

	unit[2 * SERIAL] = make_string("@env");
	units = make_array(unit, array_size(unit));
	image.table = image_room(&image.memory, 24);
	image_put(image.table + 16, make_array(&units, 1));
}

/* An st_table with these entries, the first of which was removed. */
static addr_t
make_table(const uint64_t (*pairs)[2], size_t count)
{
	addr_t table = image_room(&image.memory, 56);
	addr_t entries = image_room(&image.memory, 24 * (count + 1));

	image_put(table + 40, count + 1);
	image_put(table + 48, entries);
	image_put(entries, UINT64_MAX);
	for (size_t i = 0; i < count; i++) {
		image_put(entries + 24 * (i + 1) + 8, pairs[i][0]);
		image_put(entries + 24 * (i + 1) + 16, pairs[i][1]);
	}
	return table;
}

static addr_t
make_env(bool large)
{
	const uint64_t pairs[][2] = {
		{ make_string("REQUEST_METHOD"), make_string("GET") },
		{ make_string("HTTP_TRACEPAREN_"), make_string("x") },
		{ make_string(NAME), image.text = make_string(TEXT) },
	};
	addr_t env = image_room(&image.memory, 40), table;

	if (large) {
		table = make_table(pairs, array_size(pairs));
		image_put(env, HASH | LARGE);
	} else {
		table = image_room(&image.memory, sizeof(pairs));
		memcpy((void *)table, pairs, sizeof(pairs));
		image_put(env, HASH | array_size(pairs) << 20);
	}
	image_put(env + 16, table);
	return env;
}

/* An object whose second variable is @env. */
static addr_t
make_object(bool within, addr_t env)
{
	addr_t object = image_room(&image.memory, 40), number, table;
	addr_t class = image_room(&image.memory, 40);
	addr_t singleton = image_room(&image.memory, 40);
	addr_t extension = image_room(&image.memory, 16), variables;

	make_names();
	number = image_room(&image.memory, 8);
	image_put(number, 1);
	table = make_table(&(const uint64_t[2]){ ID, number }, 1);
	image_put(class, CLASS);
	image_put(class + 24, extension);
	image_put(extension, table);
	image_put(singleton, CLASS | SINGLETON);
	image_put(singleton + 16, class);
	image_put(object, within ? OBJECT | WITHIN : OBJECT);
	image_put(object + 8, singleton);
	variables = within ? object + 16 : image_room(&image.memory, 16);
	if (!within) {
		image_put(object + 16, 2);
		image_put(object + 24, variables);
		image_put(object + 32, table);
	}
	image_put(variables + 8, env);
	return object;
}

/* A frame's code with two variables, of which the second one is given, and the
 * environment. Returns the code. */
static addr_t
make_code(uint64_t flags, uint64_t value, addr_t parent, addr_t outer,
	  addr_t *ret_ep)
{
	addr_t iseq = image_room(&image.memory, 24);
	addr_t body = image_room(&image.memory, 256);
	addr_t variables = image_room(&image.memory, 5 * 8);

	image_put(iseq + 16, body);
	image_put(body + 168, parent);
	image_put(body + 240, 2);
	image_put(variables, NIL);
	image_put(variables + 8, value);
	image_put(variables + 24, outer | 1);
	image_put(variables + 32, flags);
	*ret_ep = variables + 32;
	return iseq;
}

static void
make_frame(uint64_t flags, uint64_t value, uint64_t of_outer, addr_t self)
{
	addr_t outer, ep;
	addr_t parent = make_code(LOCAL, of_outer, 0, 0, &outer);
	addr_t iseq = make_code(flags, value, parent, outer, &ep);

	image.frame = image_room(&image.memory, 64);
	image_put(image.frame + 16, iseq);
	image_put(image.frame + 24, self);
	image_put(image.frame + 32, ep);
}

static void
check(bool strict)
{
	struct peek peek = { .memory = &image.memory.reader };
	struct ruby_names names;
	struct ruby_memory memory = { &peek, &layout, &names };
	char text[128];

	ruby_names_init(&names);
	vec_push(&names.candidates, 8);
	vec_push(&names.candidates, image.table);
	image.found = ruby_traceparent(&memory, image.frame, text, 128);
	if (image.found && strict)
		ck_assert_str_eq(text, TEXT);
	ruby_names_release(&names);
}

/* Where the header is, and whether it is found. */
static const struct row {
	bool large, within;
	enum { VARIABLE, OBJECT_IN_VARIABLE, SELF, OUTER } where;
	uint64_t flags;
	bool found;
} rows[] = {
	{ false, false, VARIABLE, LOCAL, true },
	{ true, false, VARIABLE, LOCAL, true },
	{ true, false, VARIABLE, LAMBDA, true },
	{ false, true, OBJECT_IN_VARIABLE, LOCAL, true },
	{ true, false, OBJECT_IN_VARIABLE, LOCAL, true },
	{ true, true, SELF, LOCAL, true },
	{ false, false, SELF, LOCAL, true },
	{ true, false, OUTER, 0, true },
	{ true, false, OUTER, LAMBDA, false },
	{ true, false, OUTER, LOCAL, false },
};

START_TEST(header_or_none)
{
	const struct row *row = &rows[_i];
	addr_t value, env;

	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	/* Damage may lead to the first word, which is no string. */
	image_room(&image.memory, 8);
	env = make_env(row->large);
	value = row->where == OBJECT_IN_VARIABLE || row->where == SELF
			? make_object(row->within, env)
			: env;
	make_frame(row->flags,
		   row->where == VARIABLE || row->where == OBJECT_IN_VARIABLE
			   ? value
			   : NIL,
		   row->where == OUTER ? value : NIL,
		   row->where == SELF ? value : NIL);
	check(true);
	ck_assert_int_eq(image.found, row->found);
	image_damage(&image.memory, image.text, 40 + sizeof(TEXT) + 8, check);
}
END_TEST

Suite *
traceparent_ruby_suite(void)
{
	Suite *suite = suite_create("stacks/traceparent_ruby");
	TCase *tests = tcase_create("traceparent");

	tcase_add_loop_test(tests, header_or_none, 0, (int)array_size(rows));
	suite_add_tcase(suite, tests);
	return suite;
}
