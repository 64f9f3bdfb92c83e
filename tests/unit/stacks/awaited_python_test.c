/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task of an event loop that awaits the answer to a query, from objects as
 * Python 3.11 has them, and from damaged ones. The query is found with the
 * right text and the right descriptor, or not at all. */
#include "stacks/python_awaited.h"
#include "stacks/python_dict.h"
#include "stacks/python_tasks.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#define TEXT "SELECT 1"
#define DESCRIPTOR 7
#define MANAGED (1u << 4)

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
	addr_t str, tuple, code, dict, coroutine, number;
	addr_t query; /* the object with the text */
	addr_t loop, tasks;
	addr_t loop_frame; /* the frame of the loop's method, or of a function
			    * that runs the loop */
	const char *file;  /* the file of this frame's function */
	addr_t number_at;  /* the int object of the descriptor */
	addr_t handle_at;  /* libuv's handle, or 0 */
	bool found;
} image;

static addr_t
make_type(const char *name, uint64_t size, uint64_t flags)
{
	addr_t type = image_room(&image.memory, 880);

	image_put(type + 24, image_text(&image.memory, name));
	image_put(type + 32, size);
	image_put(type + 168, flags);
	return type;
}

static addr_t
make_object(addr_t type, size_t size)
{
	addr_t object = image_room(&image.memory, 32 + size) + 32;

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

/* Makes the keys of a dict that has one key, with the key's value. If `split`,
 * the value is not used. */
static addr_t
make_keys(const char *name, addr_t value, bool split)
{
	addr_t keys = image_room(&image.memory, 32 + 8 + 16);
	uint8_t *bytes = (uint8_t *)keys;

	bytes[9] = 3;
	bytes[10] = split ? 2 : 1;
	image_put(keys + 24, 1);
	image_put(keys + 40, make_str(name));
	image_put(keys + 48, value);
	return keys;
}

static addr_t
make_dict(const char *name, addr_t value)
{
	addr_t dict = make_object(image.dict, 48);

	image_put(dict + 32, make_keys(name, value, false));
	return dict;
}

/* An object with one attribute, whose value is apart from the keys. */
static addr_t
make_with(const char *type_name, const char *name, addr_t value)
{
	addr_t type = make_type(type_name, 16, MANAGED);
	addr_t object = make_object(type, 16);
	addr_t values = image_room(&image.memory, 8);

	image_put(type + 872, make_keys(name, 0, true));
	image_put(values, value);
	image_put(object - 32, values);
	return object;
}

static void
fill_frame(addr_t frame, const char *const *names, const addr_t *values,
	   size_t count)
{
	addr_t tuple = make_object(image.tuple, 24 + 8 * count);
	addr_t code = make_object(image.code, 184);

	image_put(tuple + 16, count);
	image_put(code + 96, tuple);
	image_put(frame + 32, code);
	for (size_t i = 0; i < count; i++) {
		image_put(tuple + 24 + 8 * i, make_str(names[i]));
		image_put(frame + 72 + 8 * i, values[i]);
	}
}

/* A suspended coroutine with one variable, that awaits an object. */
static addr_t
make_coroutine(const char *name, addr_t value, addr_t awaited)
{
	addr_t object = make_object(image.coroutine, 80 + 72 + 16);
	addr_t frame = object + 80;

	((uint8_t *)object)[75] = 0xff;
	fill_frame(frame, &name, &value, 1);
	image_put(frame + 80, awaited);
	image_put(frame + 64, 2);
	return object;
}

static void
make_loop(addr_t coroutine)
{
	static const char *const names[] = { "self" };
	addr_t loop = make_object(make_type("Loop", 16, 0), 16);
	addr_t task = make_object(make_type("_asyncio.Task", 48, 0), 48);
	addr_t reference = image_room(&image.memory, 24);
	addr_t set = make_object(make_type("set", 200, 0), 48);
	addr_t table = image_room(&image.memory, 32);
	addr_t module = make_object(make_type("module", 24, 0), 24);

	image_put(task + 16, loop);
	image_put(task + 32, coroutine);
	image_put(reference + 16, task);
	image_put(table + 16, reference);
	image_put(set + 32, 1);
	image_put(set + 40, table);
	image_put(module + 16,
		  make_dict("_all_tasks", make_with("WeakSet", "data", set)));
	image.loop_frame = image_room(&image.memory, 80);
	image.file = "/l/asyncio/base_events.py";
	fill_frame(image.loop_frame, names, &loop, 1);
	image_put(image.loop_frame + 8, make_dict("tasks", module));
	image.loop = loop;
	image.tasks = module;
}

/* Changes the image: the loop has no frames, and asyncio.run() runs it. */
static void
run_by_runner(void)
{
	static const char *const names[] = { "self" };
	addr_t runner = make_with("Runner", "_loop", image.loop);

	image.file = "/l/asyncio/runners.py";
	fill_frame(image.loop_frame, names, &runner, 1);
}

/* Changes the image: the loop has no frames, and a script that has imported
 * asyncio runs it. */
static void
run_by_script(void)
{
	static const char *const names[] = { "loop" };
	addr_t package = make_object(make_type("module", 24, 0), 24);

	image.file = "/app.py";
	fill_frame(image.loop_frame, names, &image.loop, 1);
	image_put(package + 16, make_dict("tasks", image.tasks));
	image_put(image.loop_frame + 8, make_dict("asyncio", package));
}

static void
begin(void)
{
	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	image.str = make_type("str", 48, 0);
	image.tuple = make_type("tuple", 24, 0);
	image.code = make_type("code", 184, 0);
	image.dict = make_type("dict", 48, 0);
	image.number = make_type("int", 24, 0);
	image.coroutine = make_type("coroutine", 152, 0);
	image.query = make_str(TEXT);
	image.number_at = make_object(image.number, 32);
	image_put(image.number_at + 16, 1);
	image_put(image.number_at + 24, DESCRIPTOR);
}

static const struct frame aiomysql[] = {
	{ .file = "/l/asyncio/streams.py", .function = "readexactly" },
	{ .file = "/l/aiomysql/connection.py", .function = "query" },
};

static addr_t
uvloop_transport(void)
{
	addr_t type = make_type("uvloop.loop.UnixTransport", 400, 0);
	addr_t object = make_object(type, 400);

	image.handle_at = image_room(&image.memory, 192);
	image_put(object + 24, image.handle_at);
	image_put(image.handle_at, object);
	image_put(image.handle_at + 16, 7);
	image_put(image.handle_at + 184, DESCRIPTOR);
	return object;
}

/* A query that reads from a stream with that transport. */
static void
make_reading_from(addr_t transport)
{
	addr_t reader = make_with("StreamReader", "_transport", transport);

	make_loop(make_coroutine("sql", image.query,
				 make_coroutine("self", reader, 0)));
}

static void
make_reading(void)
{
	make_reading_from(make_with("_SelectorSocketTransport", "_sock_fd",
				    image.number_at));
}

static bool
look(struct python_memory *memory, struct stack *loop, struct arena *arena,
     struct statement_query *ret_query)
{
	struct python_tasks tasks;
	struct python_chain chain;
	struct stack stack;

	if (!python_tasks_begin(memory, loop, &tasks) ||
	    !python_tasks_next(memory, &tasks, &chain) || chain.count != 2)
		return false;
	stack_init(&stack, arena, 2);
	for (size_t i = 0; i < 2; i++) {
		*stack_push(&stack, FRAME_PYTHON, 0) = aiomysql[i];
		stack.at[i].at = chain.frames[1 - i];
	}
	return python_awaited(memory, &stack, ret_query);
}

static void
check(bool strict)
{
	struct peek peek = { .memory = &image.memory.reader };
	struct python_memory memory = { &peek, &layout, image.code };
	struct statement_query query;
	struct stack loop;
	struct arena arena;

	arena_init(&arena);
	stack_init(&loop, &arena, 1);
	*stack_push(&loop, FRAME_PYTHON, 0) = (struct frame){
		.file = image.file, .function = "run", .at = image.loop_frame
	};
	if (look(&memory, &loop, &arena, &query) && strict) {
		image.found = true;
		ck_assert_str_eq(query.text.bytes, TEXT);
		ck_assert_int_eq(query.server, STATEMENT_MYSQL);
		ck_assert_int_eq(query.descriptor, DESCRIPTOR);
	}
	arena_release(&arena);
}

/* A damaged word of the descriptor gives another descriptor, so the result is
 * not checked for these words. */
static void
check_but_number(bool strict)
{
	check(strict && *(uint32_t *)(image.number_at + 24) == DESCRIPTOR &&
	      *(uint64_t *)(image.number_at + 16) == 1 &&
	      (!image.handle_at ||
	       *(uint32_t *)(image.handle_at + 184) == DESCRIPTOR));
}

START_TEST(reading_or_unknown)
{
	begin();
	make_reading();
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.query, 48 + sizeof(TEXT),
		     check_but_number);
}
END_TEST

START_TEST(uvloop_or_unknown)
{
	for (int by = 0; by < 2; by++) {
		begin();
		make_reading_from(uvloop_transport());
		if (by == 0)
			run_by_runner();
		else
			run_by_script();
		check(true);
		ck_assert_msg(image.found, "%s", image.file);
		image_damage(&image.memory, image.query, 48 + sizeof(TEXT),
			     check_but_number);
	}
}
END_TEST

START_TEST(uvloop_is_checked)
{
	static const struct {
		unsigned offset;
		uint64_t value;
	} wrong[] = {
		{ 0, 0 },	    /* the handle is another object's */
		{ 16, 8 },	    /* the handle is no stream */
		{ 184, UINT32_MAX } /* the handle was closed */
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		begin();
		make_reading_from(uvloop_transport());
		run_by_runner();
		image_put(image.handle_at + wrong[i].offset, wrong[i].value);
		check(true);
		ck_assert_msg(!image.found, "%zu", i);
	}
}
END_TEST

START_TEST(other_loops_are_left_out)
{
	begin();
	make_reading();
	image_put(image.loop_frame + 72,
		  make_object(make_type("Loop", 16, 0), 16));
	check(true);
	ck_assert(!image.found);
}
END_TEST

START_TEST(a_coroutine_that_runs_awaits_nothing)
{
	addr_t inner;

	begin();
	inner = make_coroutine("sql", image.query, 0);
	((uint8_t *)inner)[75] = 0;
	make_loop(inner);
	check(true);
	ck_assert(!image.found);
}
END_TEST

Suite *
awaited_python_suite(void)
{
	Suite *suite = suite_create("stacks/awaited_python");
	TCase *tests = tcase_create("awaited");

	tcase_add_test(tests, reading_or_unknown);
	tcase_add_test(tests, uvloop_or_unknown);
	tcase_add_test(tests, uvloop_is_checked);
	tcase_add_test(tests, other_loops_are_left_out);
	tcase_add_test(tests, a_coroutine_that_runs_awaits_nothing);
	suite_add_tcase(suite, tests);
	return suite;
}
