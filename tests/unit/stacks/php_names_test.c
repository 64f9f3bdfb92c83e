/* SPDX-License-Identifier: GPL-2.0-or-later */
/* PHP's tables of functions and classes, with PHP's layout, and damaged
 * ones. */
#include "stacks/php_names.h"

#include "base/attr.h"
#include "tests/unit/stacks/suites.h"

#include <errno.h>
#include <string.h>

#define BASE 0x10000u
#define ROOM 0x4000u
#define CODE 0x900000u
#define GLOBALS (BASE + 0x100)
#define REGISTRY (BASE + 0x400)
#define FUNCTIONS (BASE + 0x480)
#define CLASSES (BASE + 0x500)
#define CLASS (BASE + 0x600)
#define MODULE (BASE + 0x700)

struct scene {
	struct reader reader;
	unsigned char bytes[ROOM];
	addr_t free; /* the first free address, behind the used part */
	struct php_names names;
};

static int
scene_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct scene *scene = container_of(reader, struct scene, reader);

	if (from < BASE || from - BASE > ROOM || length > ROOM - (from - BASE))
		return -EFAULT;
	memcpy(to, scene->bytes + (from - BASE), length);
	return 0;
}

static bool
is_code(void *user, addr_t address)
{
	(void)user;
	return address >= CODE && address < CODE + 0x1000;
}

static void
put(struct scene *scene, addr_t at, const void *bytes, size_t length)
{
	ck_assert_uint_le(at - BASE + length, ROOM);
	memcpy(scene->bytes + (at - BASE), bytes, length);
}

static void
put_u64(struct scene *scene, addr_t at, uint64_t value)
{
	put(scene, at, &value, sizeof(value));
}

static void
put_u32(struct scene *scene, addr_t at, uint32_t value)
{
	put(scene, at, &value, sizeof(value));
}

static addr_t
room_for(struct scene *scene, size_t size)
{
	addr_t at = scene->free;

	scene->free += (size + 15) & ~(size_t)15;
	return at;
}

static addr_t
put_string(struct scene *scene, const char *text)
{
	addr_t at = room_for(scene, 24 + strlen(text) + 1);

	put_u64(scene, at + 16, strlen(text));
	put(scene, at + 24, text, strlen(text) + 1);
	return at;
}

/* A table with two chains, so that names share a chain. */
static void
put_table(struct scene *scene, addr_t table, const char *const *names,
	  const addr_t *values, unsigned count)
{
	addr_t heads = room_for(scene, 2 * 4 + count * 32u),
	       buckets = heads + 8;
	uint32_t first[2] = { UINT32_MAX, UINT32_MAX };

	for (unsigned i = 0; i < count; i++) {
		addr_t bucket = buckets + i * 32u;
		uint64_t hash = 5381;
		unsigned head;

		for (const char *c = names[i]; *c; c++)
			hash = hash * 33 + (unsigned char)*c;
		hash |= UINT64_C(1) << 63;
		head = (uint32_t)hash & 1;
		put_u64(scene, bucket, values[i]);
		put_u32(scene, bucket + 12, first[head]);
		put_u64(scene, bucket + 16, hash);
		put_u64(scene, bucket + 24, put_string(scene, names[i]));
		first[head] = i;
	}
	/* A hash ORed with -2 is -2 if it is even, and -1 if it is odd. */
	put(scene, heads, first, sizeof(first));
	put_u32(scene, table + 12, (uint32_t)-2);
	put_u64(scene, table + 16, buckets);
	put_u32(scene, table + 24, count);
}

static addr_t
put_function(struct scene *scene, unsigned char type, unsigned at,
	     addr_t handler)
{
	addr_t function = room_for(scene, 128);

	put(scene, function, &type, 1);
	put_u64(scene, function + 40, BASE); /* arg_info */
	put_u64(scene, function + at, handler);
	return function;
}

static void
lay_out(struct scene *scene, uint32_t api)
{
	static const char *const functions[] = { "pg_query", "mine", "strlen",
						 "abs" };
	static const char *const classes[] = { "pdo" };
	static const char *const methods[] = { "query" };
	const addr_t values[] = { put_function(scene, 1, 48, CODE + 1),
				  put_function(scene, 2, 48, CODE + 2),
				  put_function(scene, 1, 72, CODE + 3),
				  put_function(scene, 1, 56, 0) };
	const addr_t class = CLASS,
		     method = put_function(scene, 1, 72, CODE + 4);

	put_table(scene, FUNCTIONS, functions, values, 4);
	put_table(scene, CLASSES, classes, &class, 1);
	put_table(scene, CLASS + 64, methods, &method, 1);
	put_u64(scene, GLOBALS + 432, FUNCTIONS);
	put_u64(scene, GLOBALS + 440, CLASSES);
	put_u32(scene, MODULE + 4, api);
	put_u32(scene, REGISTRY + 24, 1);
	put_u64(scene, REGISTRY + 16, room_for(scene, 32));
	put_u64(scene, scene->free - 32, MODULE);
}

static void
scene_init(struct scene *scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->reader.read = scene_read;
	scene->free = BASE + 0x800;
	scene->names = (struct php_names){ .memory = &scene->reader,
					   .globals = GLOBALS,
					   .registry = REGISTRY,
					   .is_code = is_code };
}

static int
find(const struct scene *scene, const char *name)
{
	addr_t address = 0;
	int r = php_names_find(&scene->names, name, &address);

	return r < 0 ? r : (int)(address - CODE);
}

START_TEST(found_by_name)
{
	static struct scene scene;

	scene_init(&scene);
	lay_out(&scene, 20220829);
	ck_assert_int_eq(find(&scene, "pg_query"), 1);
	ck_assert_int_eq(find(&scene, "PG_Query"), 1);
	ck_assert_int_eq(find(&scene, "strlen"), 3);
	ck_assert_int_eq(find(&scene, "PDO::query"), 4);
	ck_assert_int_eq(find(&scene, "PDO::exec"), -ENOENT);
	ck_assert_int_eq(find(&scene, "PDF::query"), -ENOENT);
	ck_assert_int_eq(find(&scene, "::"), -ENOENT);
	ck_assert_int_eq(find(&scene, ""), -ENOENT);
	/* a function of the script */
	ck_assert_int_eq(find(&scene, "mine"), -ENOENT);
	/* a function that has no code */
	ck_assert_int_eq(find(&scene, "abs"), -ENOENT);
}
END_TEST

START_TEST(not_yet_or_never)
{
	static struct scene scene;

	scene_init(&scene);
	ck_assert_int_eq(find(&scene, "strlen"), -EAGAIN);
	lay_out(&scene, 20190902);
	ck_assert_int_eq(find(&scene, "strlen"), 3);
	put_u64(&scene, GLOBALS + 432, 0);
	ck_assert_int_eq(find(&scene, "strlen"), -EAGAIN);
	put_u32(&scene, MODULE + 4, 20190901);
	ck_assert_int_eq(find(&scene, "strlen"), -ENOTSUP);
	put_u32(&scene, MODULE + 4, 20220829);
	put(&scene, MODULE + 9, "\1", 1);
	ck_assert_int_eq(find(&scene, "strlen"), -ENOTSUP);
}
END_TEST

/* With every bit damaged in turn, the search ends, with code or without. */
START_TEST(damaged)
{
	static struct scene scene;
	size_t used;

	scene_init(&scene);
	lay_out(&scene, 20220829);
	used = scene.free - BASE;
	for (size_t i = 0; i < used; i++) {
		unsigned char was = scene.bytes[i];

		for (unsigned flip = 1; flip < 256; flip *= 2) {
			int r;

			scene.bytes[i] = (unsigned char)(was ^ flip);
			r = find(&scene, "PDO::query");
			ck_assert_msg(r < 0x1000, "%d", r);
		}
		scene.bytes[i] = was;
	}
}
END_TEST

Suite *
php_names_suite(void)
{
	Suite *suite = suite_create("php_names");
	TCase *tests = tcase_create("php_names");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, found_by_name);
	tcase_add_test(tests, not_yet_or_never);
	tcase_add_test(tests, damaged);
	suite_add_tcase(suite, tests);
	return suite;
}
