/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of --alloc, of a whole session: which calls count as growth, what
 * is subtracted, and that the traps come and go with the windows. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "base/clock.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KB (UINT64_C(1) << 10)
#define COUNT_END 14 /* columns of the table end here */
#define BYTES_END 34

#define WRITABLE (PROT_READ | PROT_WRITE)
#define ANONYMOUS (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

/* The functions of the C library itself. A sanitizer has functions with the
 * same names. */
static void *libc;
#define LIBC(function) ((__typeof__(&(function)))dlsym(libc, #function))

static void
set_up(void)
{
	libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);
	ck_assert_ptr_nonnull(libc);
}

static void *
shared(size_t size)
{
	void *at =
		mmap(NULL, size, WRITABLE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(at, MAP_FAILED);
	return at;
}

/* ---- what copies do: each function asks the kernel in one way ---------------
 */

static void
must(bool good)
{
	if (!good)
		_exit(1);
}

static char *
checked(void *at)
{
	must(at != MAP_FAILED);
	return at;
}

TARGET static void
unit_maps(void)
{
	for (unsigned i = 0; i < 3; i++)
		checked(LIBC(mmap)(NULL, 256 * KB, WRITABLE, ANONYMOUS, -1, 0));
}

/* Memory that cannot be written, and a file, are no growth. */
TARGET static void
unit_reserves(void)
{
	int file = open("/proc/self/exe", O_RDONLY);

	must(file >= 0);
	checked(LIBC(mmap)(NULL, 256 * KB, PROT_NONE, ANONYMOUS, -1, 0));
	checked(LIBC(mmap)(NULL, 256 * KB, PROT_READ, ANONYMOUS, -1, 0));
	checked(LIBC(mmap)(NULL, 64 * KB, WRITABLE, MAP_PRIVATE, file, 0));
	must(close(file) == 0);
}

/* The middle and the end of the first mapping are unmapped before another
 * growth, so they are subtracted from the first growth. The beginning is
 * unmapped later, and is subtracted from no growth. */
TARGET static void
unit_aligns(void)
{
	char *one = checked(
		LIBC(mmap)(NULL, 1024 * KB, WRITABLE, ANONYMOUS, -1, 0));
	char *two;

	must(LIBC(munmap)(one + 256 * KB, 64 * KB) == 0);
	must(LIBC(munmap)(one + 768 * KB, 256 * KB) == 0);
	two = checked(LIBC(mmap)(NULL, 128 * KB, WRITABLE, ANONYMOUS, -1, 0));
	must(LIBC(munmap)(one, 256 * KB) == 0);
	must(two[0] == 0);
}

TARGET static void
unit_moves(void)
{
	char *at =
		checked(LIBC(mmap)(NULL, 64 * KB, WRITABLE, ANONYMOUS, -1, 0));

	at = checked(LIBC(mremap)(at, 64 * KB, 192 * KB, MREMAP_MAYMOVE));
	must(LIBC(munmap)(at + 32 * KB, 32 * KB) == 0);
	must(LIBC(mremap)(at, 32 * KB, 16 * KB, MREMAP_MAYMOVE) == at);
}

TARGET static void
unit_breaks(void)
{
	must(LIBC(sbrk)(0) != (void *)-1);
	must(LIBC(sbrk)(64 * KB) != (void *)-1);
	must(LIBC(sbrk)(-(intptr_t)(16 * KB)) != (void *)-1);
}

TARGET static void
unit_protects(void)
{
	char *at = checked(
		LIBC(mmap)(NULL, 256 * KB, PROT_NONE, ANONYMOUS, -1, 0));

	must(LIBC(mprotect)(at, 128 * KB, WRITABLE) == 0);
	must(LIBC(mprotect)(at, 128 * KB, WRITABLE) == 0);
	must(LIBC(mprotect)(at, 256 * KB, PROT_READ) == 0);
}

TARGET static void
unit_fails(void)
{
	char *at =
		checked(LIBC(mmap)(NULL, 64 * KB, PROT_NONE, ANONYMOUS, -1, 0));

	must(LIBC(munmap)(at, 64 * KB) == 0);
	must(LIBC(mmap)(NULL, UINT64_C(1) << 60, WRITABLE, ANONYMOUS, -1, 0) ==
	     MAP_FAILED);
	must(LIBC(mprotect)(at, 64 * KB, WRITABLE) < 0);
	must(LIBC(sbrk)(INTPTR_MAX / 2) == (void *)-1);
}

/* The longest time of a function, in memory that the copy shares with the
 * test. */
static uint64_t *longest;

static void
ask_in_all_ways(void)
{
	static void (*const ways[])(
		void) = { unit_maps,   unit_reserves, unit_aligns, unit_moves,
			  unit_breaks, unit_protects, unit_fails };

	*longest = 0;
	for (size_t i = 0; i < array_size(ways); i++) {
		uint64_t began = clock_now(), took;

		ways[i]();
		took = clock_now() - began;
		if (took > *longest)
			*longest = took;
	}
}

/* ---- the table -------------------------------------------------------------
 */

static char *
table_of(const char *line, void (*run)(void))
{
	struct stage stage;

	stage_open(&stage, line, NULL, run);
	stage_run(&stage);
	return stage_close(&stage);
}

/* A number with blanks between each three digits. */
static uint64_t
number_at(const char *line, size_t from, size_t to)
{
	uint64_t number = 0;

	for (size_t i = from; i < to; i++) {
		ck_assert_msg(line[i] == ' ' ||
				      (line[i] >= '0' && line[i] <= '9'),
			      "%s", line);
		if (line[i] != ' ')
			number = number * 10 + (uint64_t)(line[i] - '0');
	}
	return number;
}

/* The sums of the rows of this kind of growth in this function. If the files
 * and lines of the test are known, each line has a row. */
static bool
sums_of(const char *table, const char *kind, const char *function,
	uint64_t *ret_count, uint64_t *ret_bytes)
{
	bool found = false;

	*ret_count = *ret_bytes = 0;
	for (const char *line = table, *end; (end = strchr(line, '\n'));
	     line = end + 1) {
		char row[512];

		snprintf(row, sizeof(row), "%.*s", (int)(end - line), line);
		if (strlen(row) < BYTES_END || !strstr(row, function) ||
		    !strstr(row, kind))
			continue;
		found = true;
		*ret_count += number_at(row, 0, COUNT_END);
		*ret_bytes += number_at(row, COUNT_END, BYTES_END);
	}
	return found;
}

static void
expect_row(const char *table, const char *kind, const char *function,
	   uint64_t count, uint64_t bytes)
{
	uint64_t has_count, has_bytes;

	ck_assert_msg(sums_of(table, kind, function, &has_count, &has_bytes) ==
				      (count > 0) &&
			      has_count == count && has_bytes == bytes,
		      "%s %s:\n%s", function, kind, table);
}

START_TEST(what_counts_as_growth)
{
	char *table = NULL;

	longest = shared(sizeof(*longest));
	/* What is unmapped is subtracted only if it was mapped less than a
	 * second ago. If the machine was too slow, the run is repeated. */
	do {
		free(table);
		table = table_of("--alloc=100", ask_in_all_ways);
	} while (*longest > CLOCK_SECOND * 9 / 10);
	expect_row(table, "(mmap)", "unit_maps", 3, 768 * KB);
	expect_row(table, "(", "unit_reserves", 0, 0);
	expect_row(table, "(mmap)", "unit_aligns", 2, (1024 - 320 + 128) * KB);
	expect_row(table, "(mmap)", "unit_moves", 1, 64 * KB);
	expect_row(table, "(mremap)", "unit_moves", 1, 80 * KB);
	expect_row(table, "(brk)", "unit_breaks", 1, 48 * KB);
	expect_row(table, "(", "unit_protects", 1, 128 * KB);
	expect_row(table, "(", "unit_fails", 0, 0);
	expect_row(table, "  in all, of growth", "", 9,
		   (768 + 832 + 64 + 80 + 48 + 128) * KB);
	ck_assert_ptr_null(strstr(table, "estimated"));
	free(table);
	munmap(longest, sizeof(*longest));
}
END_TEST

/* ---- other programs --------------------------------------------------------
 */

static void
map_and_exec(void)
{
	static char *const arguments[] = { "true", NULL };

	unit_maps();
	execv("/bin/true", arguments);
}

/* The names of a program's functions are known only until it executes another
 * one. */
START_TEST(growth_before_another_program)
{
	char *table = table_of("--alloc=100", map_and_exec);

	expect_row(table, "(mmap)", "unit_maps", 3, 768 * KB);
	free(table);
}
END_TEST

static void
map_in_child(void)
{
	pid_t child = fork();

	if (child == 0) {
		unit_maps();
		_exit(0);
	}
	waitpid(child, NULL, 0);
}

START_TEST(growth_of_a_child)
{
	char *table = table_of("--alloc=100 -f", map_in_child);

	expect_row(table, "(mmap)", "unit_maps", 3, 768 * KB);
	free(table);
	table = table_of("--alloc=100", map_in_child);
	expect_row(table, "(mmap)", "unit_maps", 0, 0);
	free(table);
}
END_TEST

/* ---- windows and breaks ----------------------------------------------------
 */

#define BREAKS 3

/* What the copy has done, in memory that it shares with the test. */
static struct {
	const volatile unsigned char *code;
	unsigned char original;
	atomic_uint *pieces;
} busy;

/* In each window, maps memory as long as there is a trap, and then waits for
 * the next window. */
TARGET static void
unit_busy(void)
{
	for (unsigned i = 0; i < BREAKS; i++) {
		while (*busy.code == busy.original)
			usleep(1000);
		while (*busy.code != busy.original) {
			checked(LIBC(mmap)(NULL, 64 * KB, WRITABLE, ANONYMOUS,
					   -1, 0));
			atomic_fetch_add(busy.pieces, 1);
		}
	}
}

static void
be_busy_in_child(void)
{
	pid_t child = fork();
	int status;

	if (child == 0) {
		unit_busy();
		_exit(0);
	}
	must(waitpid(child, &status, 0) == child && status == 0);
}

/* Runs a session. True if growths were extrapolated to a break: in a break the
 * function has no trap, so xtrace does not see its calls. Each sample also
 * counts for those of the break before it. */
static bool
estimates(const char *line, void (*run)(void))
{
	unsigned pieces, samples = 0;
	uint64_t count, bytes;
	const char *end;
	char *table;

	busy.pieces = shared(sizeof(*busy.pieces));
	busy.code = dlsym(libc, "mmap");
	busy.original = *busy.code;
	table = table_of(line, run);
	pieces = atomic_load(busy.pieces);
	sums_of(table, "(mmap)", "unit_busy", &count, &bytes);
	end = strstr(table, "  estimated from ");
	ck_assert_msg(!end || sscanf(end, "  estimated from %u samples",
				     &samples) == 1,
		      "%s", table);
	/* Each window ends with a call that is not counted. */
	ck_assert_uint_le(samples, pieces - BREAKS);
	munmap(busy.pieces, sizeof(*busy.pieces));
	free(table);
	return samples > 0 && count > samples && bytes > samples * 64 * KB;
}

/* A window lasts for 10 ms or longer. On a busy machine the copy may get a CPU
 * later, and then nothing is extrapolated. */
static void
expect_estimate(const char *line, void (*run)(void))
{
	for (unsigned i = 0; !estimates(line, run); i++)
		ck_assert_uint_lt(i, 12);
}

START_TEST(traps_come_and_go)
{
	expect_estimate("--alloc=10", unit_busy);
}
END_TEST

START_TEST(traps_of_a_child_come_and_go)
{
	expect_estimate("--alloc=10 -f", be_busy_in_child);
}
END_TEST

Suite *
allocs_suite(void)
{
	Suite *suite = suite_create("tracer/allocs");
	TCase *tests = tcase_create("tracer/allocs");

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, what_counts_as_growth);
	tcase_add_test(tests, growth_before_another_program);
	tcase_add_test(tests, growth_of_a_child);
	tcase_add_test(tests, traps_come_and_go);
	tcase_add_test(tests, traps_of_a_child_come_and_go);
	suite_add_tcase(suite, tests);
	return suite;
}
