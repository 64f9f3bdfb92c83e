/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The statements of Perl's DBI, from values as Perl 5.36 has them, and from
 * damaged ones. */
#include "stacks/perl_statement.h"
#include "tests/unit/stacks/image.h"
#include "tests/unit/stacks/suites.h"

#include "base/attr.h"

#define TEXT "SELECT ?"
#define HANDLE 0x7f0012345678
#define HASH 12u
#define MAGICAL 7u
#define TEXT_FLAG 0x400u
#define REFERENCE 0x800u

static struct {
	struct image_memory memory;
	addr_t base, top;
	addr_t text; /* the value, its body and its characters begin here */
	bool found;  /* at least once */
} image;

static addr_t
make_value(uint32_t flags, addr_t data)
{
	addr_t value = image_room(&image.memory, 24);
	addr_t body = image_room(&image.memory, 40);

	image_put(value, body);
	image_put(value + 8, (uint64_t)flags << 32 | 1);
	image_put(value + 16, data);
	return value;
}

static addr_t
body_of(addr_t value)
{
	addr_t body;

	memcpy(&body, (void *)value, sizeof(body));
	return body;
}

static void
add_magic(addr_t value, char type, addr_t object)
{
	addr_t magic = image_room(&image.memory, 48);

	image_put(magic + 16, (uint64_t)type << 16);
	image_put(magic + 32, object);
	image_put(body_of(value) + 8, magic);
}

/* Makes the inner handle of a DBI statement, which has the text. The third word
 * of the driver's data has the driver's own handle. */
static addr_t
make_inner(void)
{
	addr_t hash, own, data, buckets, entry, key, value;

	image.text = image_room(&image.memory, 0);
	value = make_value(TEXT_FLAG, 0);
	image_put(value + 16, image_room(&image.memory, sizeof(TEXT)));
	memcpy((void *)(body_of(value) + 40), TEXT, sizeof(TEXT));
	image_put(body_of(value) + 16, strlen(TEXT));
	data = image_room(&image.memory, 32);
	image_put(data + 16, HANDLE);
	own = make_value(MAGICAL, data);
	image_put(body_of(own) + 24, 32);
	key = image_room(&image.memory, 20);
	image_put(key, (uint64_t)9 << 32);
	memcpy((void *)(key + 8), "Statement", 10);
	entry = image_room(&image.memory, 24);
	image_put(entry + 8, key);
	image_put(entry + 16, value);
	buckets = image_room(&image.memory, 16);
	image_put(buckets + 8, entry);
	hash = make_value(HASH, buckets);
	image_put(body_of(hash) + 24, 1);
	add_magic(hash, '~', own);
	return hash;
}

static bool
look(addr_t handle, struct arena *arena, struct statement_text *ret_text)
{
	struct peek peek = { .memory = &image.memory.reader };
	const struct statement statement = { .handle = handle };

	return perl_statement(&peek, image.base, image.top, &statement, arena,
			      ret_text);
}

static void
check(bool strict)
{
	struct statement_text text;
	struct arena arena;

	arena_init(&arena);
	if (look(HANDLE, &arena, &text) && strict) {
		image.found = true;
		ck_assert_uint_eq(text.whole, text.length);
		ck_assert_str_eq(text.bytes, TEXT);
	}
	ck_assert(!look(HANDLE + 8, &arena, &text) || !strict);
	ck_assert(!look(0, &arena, &text));
	arena_release(&arena);
}

/* The stack has the inner handle, or an outer handle that is tied to the inner
 * handle. */
START_TEST(handle_or_unknown)
{
	addr_t inner, outer;

	memset(&image, 0, sizeof(image));
	image_begin(&image.memory);
	inner = make_value(REFERENCE, make_inner());
	outer = make_value(HASH, 0);
	add_magic(outer, 'P', inner);
	image.base = image_room(&image.memory, 32);
	image.top = image.base + 24;
	image_put(image.base + 8, make_value(TEXT_FLAG, HANDLE));
	image_put(image.base + 16, _i ? make_value(REFERENCE, outer) : inner);
	check(true);
	ck_assert(image.found);
	image_damage(&image.memory, image.text, 24 + 40 + sizeof(TEXT), check);
}
END_TEST

Suite *
statement_perl_suite(void)
{
	Suite *suite = suite_create("stacks/statement_perl");
	TCase *tests = tcase_create("statement");

	tcase_add_loop_test(tests, handle_or_unknown, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
