/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of Ruby's libraries, from objects as Ruby 3.1 has them, and
 * from damaged ones. */
#include "stacks/ruby_statement.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#define TEXT "SELECT $1"
#define NAME "a1"
#define HANDLE 0x7f0012345678
#define FIRST_SERIAL 11u
#define ESCAPED 0x4u
#define LOCAL 0x2u

static const struct ruby_layout layout = {
	.version = 0x0301,
	.local_iseq = 176,
	.string_embedded = 16,
	.last_operator = 169,
};

static struct {
	struct image_memory memory;
	struct stack stack;
	struct arena arena;
	addr_t table;
	addr_t text; /* the string object with the statement */
	struct statement statement;
	bool found; /* at least once */
} image;

static addr_t
make_string(const char *text)
{
	addr_t string = image_room(&image.memory, 16 + strlen(text) + 1);

	image_put(string, RUBY_STRING | strlen(text) << 14);
	memcpy((void *)(string + 16), text, strlen(text));
	return string;
}

static addr_t
make_array(const addr_t *values, size_t count)
{
	addr_t array = image_room(&image.memory, 16 + 8 * count);

	image_put(array, RUBY_ARRAY | UINT64_C(1) << 13);
	memcpy((void *)(array + 16), values, 8 * count);
	return array;
}

/* The table with the names of the variables, from FIRST_SERIAL on. */
static void
make_names(const char *const *names, size_t count)
{
	addr_t unit[2 * (FIRST_SERIAL + 4)] = { 0 }, units;

	for (size_t i = 0; i < count; i++)
		unit[2 * (FIRST_SERIAL + i)] = make_string(names[i]);
	units = make_array(unit, array_size(unit));
	image.table = image_room(&image.memory, 24);
	image_put(image.table + 16, make_array(&units, 1));
}

static void
push(const char *file, addr_t at, bool at_call)
{
	struct frame *frame = stack_push(&image.stack, FRAME_RUBY, at);

	frame->file = file;
	frame->function = "";
	frame->at_call = at_call;
}

/* A control frame of a method with these variables, on the stack or in an
 * environment in the heap. */
static void
make_frame(const char *file, const char *method, const char *const *names,
	   const addr_t *values, size_t count, bool escaped)
{
	addr_t self = image_room(&image.memory, 8);
	addr_t iseq = image_room(&image.memory, 24);
	addr_t body = image_room(&image.memory, 200);
	addr_t ids = image_room(&image.memory, 8 * count);
	addr_t frame = image_room(&image.memory, 64), before, ep, environment;

	make_names(names, count);
	before = image_room(&image.memory, 8 * (count + 5));
	ep = before + 8 * (count + 3);
	environment = image_room(&image.memory, 40);
	image_put(iseq + 16, body);
	image_put(body + 72, make_string(method));
	image_put(body + 152, ids);
	image_put(body + 176, iseq);
	image_put(before, escaped ? 0 : self);
	for (size_t i = 0; i < count; i++) {
		image_put(ids + 8 * i, (FIRST_SERIAL + i) << 4 | 1);
		image_put(before + 8 * (i + 1), values[i]);
	}
	image_put(ep, escaped ? LOCAL | ESCAPED : LOCAL);
	image_put(ep + 8, escaped ? environment : 0);
	image_put(environment + 16, ep);
	image_put(environment + 24, before + 8);
	image_put(frame + 16, iseq);
	image_put(frame + 24, self);
	image_put(frame + 32, ep);
	push(file, frame, false);
}

static void
begin(void)
{
	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	arena_init(&image.arena);
	stack_init(&image.stack, &image.arena, 8);
}

static bool
look(const struct statement *statement, struct statement_text *ret_text)
{
	struct peek peek = { .memory = &image.memory.reader };
	struct ruby_names names;
	struct ruby_memory memory = { &peek, &layout, &names };
	bool found;

	ruby_names_init(&names);
	names.table = image.table;
	found = ruby_statement(&memory, &image.stack, statement, ret_text);
	ruby_names_release(&names);
	return found;
}

static void
check(bool strict)
{
	const struct statement others[] = { { "a2", 0, NULL },
					    { NULL, HANDLE + 8, NULL },
					    { NULL, 0, NULL } };
	struct statement_text text;

	if (look(&image.statement, &text) && strict) {
		image.found = true;
		ck_assert_uint_eq(text.whole, text.length);
		ck_assert_str_eq(text.bytes, TEXT);
	}
	for (size_t i = 0; i < array_size(others); i++)
		ck_assert(!look(&others[i], &text) || !strict);
}

static void
damage(void)
{
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.text, 16 + sizeof(TEXT), check);
	arena_release(&image.arena);
}

START_TEST(pg_or_unknown)
{
	static const char *const names[] = { "sql", "stmt_key" };

	begin();
	image.statement.name = NAME;
	image.text = make_string(TEXT);
	make_frame("/gems/active_record/connection_adapters/"
		   "postgresql_adapter.rb",
		   "exec_cache", names,
		   (addr_t[]){ image.text, make_string(NAME) }, 2, _i);
	damage();
}
END_TEST

START_TEST(mysql2_or_unknown)
{
	static const char *const names[] = { "ps", "sql" };
	addr_t frame, self, data;

	begin();
	image.statement.handle = HANDLE;
	frame = image_room(&image.memory, 64);
	self = image_room(&image.memory, 40);
	data = image_room(&image.memory, 32);
	image_put(self, 0x0c);
	image_put(self + 32, data);
	image_put(data + 8, HANDLE);
	image_put(frame + 24, self);
	push("/usr/mysql2/statement.rb", frame, true);
	image.text = make_string(TEXT);
	make_frame("/sequel/adapters/mysql2.rb", "execute_prepared_statement",
		   names, (addr_t[]){ 0, image.text }, 2, _i);
	check(true);
	ck_assert(image.found);
	/* If the frame that has the text is one of another file, the statement
	 * is not read. */
	image.stack.at[1].file = "/app/mine.rb";
	image.found = false;
	check(true);
	ck_assert(!image.found);
	image.stack.at[1].file = "/sequel/adapters/mysql2.rb";
	damage();
}
END_TEST

Suite *
statement_ruby_suite(void)
{
	Suite *suite = suite_create("stacks/statement_ruby");
	TCase *tests = tcase_create("statement");

	tcase_add_loop_test(tests, pg_or_unknown, 0, 2);
	tcase_add_loop_test(tests, mysql2_or_unknown, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
