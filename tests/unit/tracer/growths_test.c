/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --alloc: the table of the memory that a copy of the test gets from the
 * system. Each function that gets memory is called, and each that returns it.
 */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"
#include "base/clock.h"
#include "tests/unit/checks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define KIB 1024UL

/* This function is inlined, and the table names the innermost function: its
 * caller. */
__attribute__((always_inline)) static inline char *
map(size_t length, int protection)
{
	void *at = mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS,
			-1, 0);

	if (at == MAP_FAILED)
		_exit(1);
	return at;
}

/* Gives a quarter of its mapping back at once. */
TARGET static void
unit_map(void)
{
	char *at = map(400 * KIB, PROT_READ | PROT_WRITE);

	munmap(at + 300 * KIB, 100 * KIB);
}

/* Memory that is only reserved is no growth. What becomes writable of the
 * reserved memory is a growth. */
TARGET static void
unit_reserve(void)
{
	char *at = map(4000 * KIB, PROT_NONE);

	mprotect(at, 200 * KIB, PROT_READ | PROT_WRITE);
	mprotect(at, 200 * KIB, PROT_READ | PROT_WRITE);
	mprotect(at, 200 * KIB, PROT_READ);
}

/* mremap() adds memory, and half of the added memory is given back at once. */
TARGET static void
unit_remap(void)
{
	char *at = map(40 * KIB, PROT_READ | PROT_WRITE);

	at = mremap(at, 40 * KIB, 80 * KIB, MREMAP_MAYMOVE);
	if (at == MAP_FAILED)
		_exit(2);
	mremap(at, 80 * KIB, 60 * KIB, 0);
}

TARGET static void
unit_break(void)
{
	if (sbrk(64 * KIB) == (void *)-1 || sbrk(-16 * (long)KIB) == (void *)-1)
		_exit(3);
}

static void
grow(void)
{
	unit_map();
	unit_reserve();
	unit_remap();
	unit_break();
}

/* The table has a row with this beginning that names the function. */
static void
expect_row(const char *table, const char *beginning, const char *function)
{
	const char *at = strstr(table, beginning);
	const char *name = at ? strstr(at, function) : NULL;

	ck_assert_msg(name && name <= strchr(at, '\n'), "%s, %s: %s", beginning,
		      function, table);
}

START_TEST(growths)
{
	uint64_t began = clock_now();
	char *table = stage_trace("--alloc=100 --stack=native", NULL, grow);
	bool at_once = clock_now() - began < CLOCK_SECOND;

	/* What is given back within a second is subtracted. */
	if (at_once)
		expect_row(table, " 1 307 200 (mmap) ", "unit_map");
	expect_row(table, " 1 204 800 (mprotect) ", "unit_reserve");
	expect_row(table, " 1 40 960 (mmap) ", "unit_remap");
	if (at_once)
		expect_row(table, " 1 20 480 (mremap) ", "unit_remap");
	if (at_once)
		expect_row(table, " 1 49 152 (brk) ", "unit_break");
	if (at_once)
		expect_row(table, " 5 622 592 in all, ", "");
	free(table);
	free(stage_said());
}
END_TEST

Suite *
growths_suite(void)
{
	Suite *suite = suite_create("tracer/growths");
	TCase *tests = tcase_create("growths");

	tcase_add_test(tests, growths);
	suite_add_tcase(suite, tests);
	return suite;
}
