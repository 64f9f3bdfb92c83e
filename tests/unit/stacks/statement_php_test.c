/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of PDO, from objects as PHP 8.2 has them, and from damaged
 * ones. */
#include "stacks/php_statement.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#include "base/attr.h"

#define TEXT "SELECT ?"
#define HANDLE 0x7f0012345678
#define OFFSET 64u

static struct {
	struct image_memory memory;
	struct stack stack;
	struct arena arena;
	addr_t text; /* the string with the statement */
	struct statement statement;
	bool found; /* at least once */
} image;

static addr_t
make_driver(void)
{
	addr_t driver = image_room(&image.memory, 128);
	addr_t outer = image_room(&image.memory, 8);
	addr_t data = image_room(&image.memory, 16);

	image_put(driver + 24, HANDLE);
	image_put(driver + 48, outer);
	image_put(outer, data);
	image_put(data + 8, 77);
	return driver;
}

static addr_t
make_object(void)
{
	addr_t driver = make_driver();
	addr_t start = image_room(&image.memory, OFFSET + 64);
	addr_t object = start + OFFSET;
	addr_t handlers = image_room(&image.memory, 8);

	image.text = image_room(&image.memory, 24 + sizeof(TEXT));
	image_put(image.text, UINT64_C(0x16) << 32 | 1);
	image_put(image.text + 16, strlen(TEXT));
	memcpy((void *)(image.text + 24), TEXT, sizeof(TEXT));
	image_put(handlers, OFFSET);
	image_put(start + 8, driver);
	image_put(object + 24, handlers);
	image_put(object + 40, image.text);
	image_put(object + 48, 6);
	return object;
}

static bool
look(const struct statement *statement, struct statement_text *ret_text)
{
	struct peek peek = { .memory = &image.memory.reader };

	return php_statement(&peek, &image.stack, statement, ret_text);
}

static void
check(bool strict)
{
	const struct statement others[] = { { "s", HANDLE + 8, NULL },
					    { "78", 0, NULL },
					    { "s", 0, NULL },
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

START_TEST(pdo_or_unknown)
{
	static const struct statement statements[] = { { "s", HANDLE, NULL },
						       { "77", 0, NULL } };
	struct frame *frame;
	addr_t at;

	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	arena_init(&image.arena);
	stack_init(&image.stack, &image.arena, 4);
	image.statement = statements[_i];
	at = image_room(&image.memory, 48);
	image_put(at + 32, make_object());
	image_put(at + 40, 8);
	frame = stack_push(&image.stack, FRAME_PHP, at);
	frame->at_call = true;
	frame->function = "PDOStatement->fetch";
	check(true);
	ck_assert(!image.found);
	frame->function = "PDOStatement->execute";
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.text, 24 + sizeof(TEXT), check);
	arena_release(&image.arena);
}
END_TEST

Suite *
statement_php_suite(void)
{
	Suite *suite = suite_create("stacks/statement_php");
	TCase *tests = tcase_create("statement");

	tcase_add_loop_test(tests, pdo_or_unknown, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
