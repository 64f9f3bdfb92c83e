/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which interpreters are refused, and with which sentence. */
#include "heaps/python_heap.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

struct python_binary {
	struct binary binary;
	bool empty;
	addr_t version;
};

static addr_t
symbol(struct binary *binary, const char *name)
{
	const struct python_binary *of =
		container_of(binary, struct python_binary, binary);

	if (of->empty)
		return 0;
	return strcmp(name, "Py_Version") == 0 ? of->version : 0x1000;
}

static int
count(struct python_binary *binary, uint64_t version, struct err *err)
{
	struct image_memory memory;
	struct census census;
	int r;

	binary->binary = (struct binary){ .symbol = symbol, .label = "python" };
	image_begin(&memory);
	if (version != 0) {
		binary->version = image_room(&memory, 8);
		image_put(binary->version, version);
	}
	census_init(&census);
	r = python_heap_count(&binary->binary, &memory.reader, &census, err);
	ck_assert_uint_eq(census.rows.count, 0);
	census_release(&census);
	return r;
}

START_TEST(no_python)
{
	struct python_binary binary = { .empty = true };
	struct err err;

	ck_assert_int_eq(count(&binary, 0, &err), -ENOENT);
}
END_TEST

START_TEST(other_versions)
{
	struct python_binary binary = { .version = 0 };
	struct err err;

	ck_assert_int_eq(count(&binary, 0, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "python: the heap of this version of Python is not "
			 "known to xtrace, only that of 3.11");
	ck_assert_int_eq(count(&binary, 0x030d01f0, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "python: the heap of Python 3.13 is not known to "
			 "xtrace, only that of 3.11");
	/* The version of this interpreter cannot be read. */
	binary.version = 8;
	ck_assert_int_eq(count(&binary, 0, &err), -ENOTSUP);
}
END_TEST

Suite *
python_heap_suite(void)
{
	Suite *suite = suite_create("python_heap");
	TCase *tests = tcase_create("versions");

	tcase_add_test(tests, no_python);
	tcase_add_test(tests, other_versions);
	suite_add_tcase(suite, tests);
	return suite;
}
