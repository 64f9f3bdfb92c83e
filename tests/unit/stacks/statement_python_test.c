/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of Python's drivers, from objects as Python 3.11 has them, and
 * from damaged ones. */
#include "stacks/python_statement.h"

#include "stacks/python_dict.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#define TEXT "SELECT $1::int"
#define NAME "_pg3_7"

static const struct python_layout layout = {
	.version = PYTHON_DICT_VERSION,
	.lines = PYTHON_LOCATIONS,
	.frame_code = 32,
	.frame_run = 68,
	.code_file = 112,
	.object_type = 8,
	.bytes_size = 16,
	.bytes_data = 32,
	.text_length = 16,
	.text_state = 32,
	.text_ascii = 48,
	.text_compact = 72,
};

static struct {
	struct image_memory memory;
	struct frame frame;
	addr_t str, bytes, tuple, code;
	addr_t query; /* the object with the statement's text */
	bool found;   /* at least once */
} image;

static addr_t
make_type(const char *name, uint64_t size, const char *member, uint64_t offset)
{
	addr_t type = image_room(&image.memory, 880), members;

	image_put(type + 24, image_text(&image.memory, name));
	image_put(type + 32, size);
	if (member) {
		members = image_room(&image.memory, 80);
		image_put(members, image_text(&image.memory, member));
		image_put(members + 16, offset);
		image_put(type + 240, members);
	}
	return type;
}

static addr_t
make_object(addr_t type, size_t size)
{
	addr_t object = image_room(&image.memory, size);

	image_put(object + 8, type);
	return object;
}

static addr_t
make_str(const char *text)
{
	addr_t object = make_object(image.str, 48 + strlen(text) + 1);

	image_put(object + 16, strlen(text));
	image_put(object + 32, 1u << 2 | 1u << 5 | 1u << 6);
	memcpy((void *)(object + 48), text, strlen(text));
	return object;
}

static addr_t
make_bytes(const char *text)
{
	addr_t object = make_object(image.bytes, 32 + strlen(text) + 1);

	image_put(object + 16, strlen(text));
	memcpy((void *)(object + 32), text, strlen(text));
	return object;
}

static void
begin(void)
{
	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	image.str = make_type("str", 48, NULL, 0);
	image.bytes = make_type("bytes", 33, NULL, 0);
	image.tuple = make_type("tuple", 24, NULL, 0);
	image.code = make_type("code", 184, NULL, 0);
}

static void
make_frame(const char *file, const char *function, const char *const *names,
	   const addr_t *values, size_t count)
{
	addr_t tuple = make_object(image.tuple, 24 + 8 * count);
	addr_t code = make_object(image.code, 184);
	addr_t frame = image_room(&image.memory, 72 + 8 * count);

	image_put(tuple + 16, count);
	image_put(code + 96, tuple);
	image_put(frame + 32, code);
	for (size_t i = 0; i < count; i++) {
		image_put(tuple + 24 + 8 * i, make_str(names[i]));
		image_put(frame + 72 + 8 * i, values[i]);
	}
	image.frame = (struct frame){ .function = function,
				      .file = file,
				      .at = frame };
}

static bool
look(const char *name, struct arena *arena, struct statement_text *ret_text)
{
	struct peek peek = { .memory = &image.memory.reader };
	struct python_memory memory = { &peek, &layout, image.code };
	const struct statement statement = { .name = name };

	return python_statement(&memory, &image.frame, &statement, arena,
				ret_text);
}

static void
check(bool strict)
{
	struct statement_text text;
	struct arena arena;

	arena_init(&arena);
	if (look(NAME, &arena, &text) && strict) {
		image.found = true;
		ck_assert_uint_eq(text.whole, text.length);
		ck_assert_str_eq(text.bytes, TEXT);
	}
	ck_assert(!look("_pg3_8", &arena, &text) || !strict);
	ck_assert(!look(NULL, &arena, &text));
	arena_release(&arena);
}

static void
psycopg(void)
{
	static const char *const names[] = { "self", "name", "pgq" };
	addr_t type, query;

	begin();
	image.query = make_bytes(TEXT);
	type = make_type("PostgresQuery", 32, "query", 16);
	query = make_object(type, 32);
	image_put(query + 16, image.query);
	make_frame("/lib/psycopg/cursor.py", "_send_query_prepared", names,
		   (addr_t[]){ 0, make_bytes(NAME), query }, 3);
}

START_TEST(psycopg_or_unknown)
{
	psycopg();
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.query, 32 + sizeof(TEXT), check);
	image.frame.function = "execute";
	image.found = false;
	check(true);
	ck_assert(!image.found);
}
END_TEST

/* An object with one slot. */
static addr_t
make_with(const char *type_name, const char *slot, addr_t value)
{
	addr_t object = make_object(make_type(type_name, 24, slot, 16), 24);

	image_put(object + 16, value);
	return object;
}

/* A dict whose only key is a tuple of the query's text and an empty tuple. */
static addr_t
make_names(const char *type_name, addr_t name)
{
	addr_t dict = make_object(make_type(type_name, 48, NULL, 0), 48);
	addr_t keys = image_room(&image.memory, 32 + 8 + 24);
	addr_t key = make_object(image.tuple, 24 + 16);
	addr_t types = make_object(image.tuple, 24);

	image.query = make_bytes(TEXT);
	image_put(key + 16, 2);
	image_put(key + 24, image.query);
	image_put(key + 32, types);
	((uint8_t *)keys)[9] = 3;
	image_put(keys + 24, 1);
	image_put(keys + 48, key);
	image_put(keys + 56, name);
	image_put(dict + 32, keys);
	return dict;
}

static void
make_pipeline(const char *type_name)
{
	static const char *const names[] = { "self" };
	addr_t kept, self;

	begin();
	kept = make_names(type_name, make_bytes(NAME));
	self = make_with("PrepareManager", "_names", kept);
	self = make_with("Connection", "_prepared", self);
	self = make_with("Pipeline", "_conn", self);
	make_frame("/lib/psycopg/_pipeline.py", "_communicate_gen", names,
		   &self, 1);
}

START_TEST(pipeline_or_unknown)
{
	make_pipeline("collections.OrderedDict");
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.query, 32 + sizeof(TEXT), check);
	make_pipeline("list");
	check(true);
	ck_assert(!image.found);
}
END_TEST

static addr_t
make_state(void)
{
	addr_t type = make_type("asyncpg.protocol.PreparedStatementState", 96,
				NULL, 0);
	addr_t state = make_object(type, 96);

	image.query = make_str(TEXT);
	image_put(state + 16, type);
	image_put(state + 24, make_str(NAME));
	image_put(state + 32, image.query);
	return state;
}

START_TEST(asyncpg_or_unknown)
{
	static const char *const names[] = { "stmt", "timeout" };

	begin();
	make_frame("/lib/asyncpg/connection.py", "<lambda>", names,
		   (addr_t[]){ make_state(), 0 }, 2);
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.query, 48 + sizeof(TEXT), check);
}
END_TEST

START_TEST(asyncpg_in_self_or_unknown)
{
	static const char *const names[] = { "self" };
	addr_t type, self;

	begin();
	type = make_type("PreparedStatement", 40, "_state", 24);
	self = make_object(type, 40);
	image_put(self + 24, make_state());
	make_frame("/lib/asyncpg/prepared_stmt.py", "__do_execute", names,
		   &self, 1);
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.query, 48 + sizeof(TEXT), check);
}
END_TEST

Suite *
statement_python_suite(void)
{
	Suite *suite = suite_create("stacks/statement_python");
	TCase *tests = tcase_create("statement");

	tcase_add_test(tests, psycopg_or_unknown);
	tcase_add_test(tests, pipeline_or_unknown);
	tcase_add_test(tests, asyncpg_or_unknown);
	tcase_add_test(tests, asyncpg_in_self_or_unknown);
	suite_add_tcase(suite, tests);
	return suite;
}
