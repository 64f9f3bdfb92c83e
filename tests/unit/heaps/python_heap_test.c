/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which interpreters are refused, and with which sentence. */
#include "heaps/python_heap.h"
#include "tests/unit/heaps/suites.h"
#include "tests/unit/stacks/image.h"

struct python_host {
	struct host host;
	bool empty;
	addr_t version;
};

static addr_t
symbol(struct host *host, const char *name)
{
	const struct python_host *of =
		container_of(host, struct python_host, host);

	if (of->empty)
		return 0;
	return strcmp(name, "Py_Version") == 0 ? of->version : 0x1000;
}

static int
count(struct python_host *host, uint64_t version, struct err *err)
{
	struct image_memory memory;
	struct census census;
	int r;

	host->host = (struct host){ .symbol = symbol, .label = "python" };
	image_begin(&memory);
	if (version != 0) {
		host->version = image_room(&memory, 8);
		image_put(host->version, version);
	}
	census_init(&census);
	r = python_heap_count(&host->host, &memory.reader, &census, err);
	ck_assert_uint_eq(census.rows.count, 0);
	census_release(&census);
	return r;
}

START_TEST(no_python)
{
	struct python_host host = { .empty = true };
	struct err err;

	ck_assert_int_eq(count(&host, 0, &err), -ENOENT);
}
END_TEST

START_TEST(other_versions)
{
	struct python_host host = { .version = 0 };
	struct err err;

	ck_assert_int_eq(count(&host, 0, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "python: the heap of this version of Python is not "
			 "known to xtrace, only that of 3.11");
	ck_assert_int_eq(count(&host, 0x030d01f0, &err), -ENOTSUP);
	ck_assert_str_eq(err.text,
			 "python: the heap of Python 3.13 is not known to "
			 "xtrace, only that of 3.11");
	/* The version of this interpreter cannot be read. */
	host.version = 8;
	ck_assert_int_eq(count(&host, 0, &err), -ENOTSUP);
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
