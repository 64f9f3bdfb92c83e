/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading whole files and writing whole buffers, also through a pipe that is
 * too small. */
#include "tests/unit/base/suites.h"

#include "base/fd.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

START_TEST(closed_once)
{
	int fd = open("/dev/null", O_RDONLY);
	int same = fd;

	ck_assert_int_ge(fd, 0);
	fd_closep(&fd);
	ck_assert_int_eq(fd, -1);
	ck_assert_int_eq(fcntl(same, F_GETFD), -1);
	fd_closep(&fd);
}
END_TEST

/* Sizes around those at which the buffer grows: 4095, 4096 and so on. */
static const size_t sizes[] = {
	0, 1, 4094, 4095, 4096, 4097, 8191, 8192, 100000
};

START_TEST(a_file_of_any_size)
{
	size_t size = sizes[_i], length = 1;
	cleanup(fd_closep) int fd = memfd_create("file", MFD_CLOEXEC);
	cleanup(freep) char *path = xasprintf("/proc/self/fd/%d", fd);
	cleanup(freep) char *bytes = xmalloc(size);
	cleanup(freep) char *text = NULL;

	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)(i * 7);
	ck_assert_int_eq(fd_write_all(fd, bytes, size), 0);
	ck_assert_int_eq(fd_read_file(path, &text, &length), 0);
	ck_assert_uint_eq(length, size);
	ck_assert(size == 0 || memcmp(text, bytes, size) == 0);
	ck_assert_int_eq(text[size], '\0');
}
END_TEST

START_TEST(a_file_without_a_size)
{
	cleanup(freep) char *text = NULL;

	ck_assert_int_eq(fd_read_file("/proc/self/status", &text, NULL), 0);
	ck_assert_ptr_nonnull(strstr(text, "Pid:"));
}
END_TEST

START_TEST(files_that_cannot_be_read)
{
	char *text = NULL;

	ck_assert_int_eq(fd_read_file("/nonexistent", &text, NULL), -ENOENT);
	ck_assert_int_eq(fd_read_file("/", &text, NULL), -EISDIR);
	ck_assert_ptr_null(text);
}
END_TEST

START_TEST(not_more_than_wanted)
{
	cleanup(fd_closep) int fd = memfd_create("file", MFD_CLOEXEC);
	cleanup(freep) char *text = NULL;
	size_t length = 0;

	ck_assert_int_eq(fd_write_all(fd, "0123456789", 10), 0);
	for (size_t limit = 0; limit <= 10; limit++) {
		ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
		ck_assert_int_eq(fd_read(fd, limit, &text, &length), -EFBIG);
		ck_assert_ptr_null(text);
	}
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	ck_assert_int_eq(fd_read(fd, 11, &text, &length), 0);
	ck_assert_uint_eq(length, 10);
	ck_assert_str_eq(text, "0123456789");
}
END_TEST

START_TEST(not_forever)
{
	cleanup(fd_closep) int fd = open("/dev/zero", O_RDONLY);
	char *text = NULL;

	ck_assert_int_eq(fd_read(fd, 1 << 20, &text, NULL), -EFBIG);
	ck_assert_ptr_null(text);
}
END_TEST

#define MUCH 1000000

static void *
read_all(void *end)
{
	size_t *total = xcalloc(1, sizeof(*total));
	char bytes[1000];
	ssize_t n;

	while ((n = read(*(int *)end, bytes, sizeof(bytes))) > 0)
		*total += (size_t)n;
	return total;
}

START_TEST(more_than_a_pipe_holds)
{
	cleanup(freep) char *bytes = xcalloc(1, MUCH);
	cleanup(freep) void *total = NULL;
	pthread_t reader;
	int ends[2];

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(pthread_create(&reader, NULL, read_all, &ends[0]), 0);
	ck_assert_int_eq(fd_write_all(ends[1], bytes, MUCH), 0);
	close(ends[1]);
	pthread_join(reader, &total);
	ck_assert_uint_eq(*(size_t *)total, MUCH);
	close(ends[0]);
}
END_TEST

START_TEST(a_pipe_that_nobody_reads)
{
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	ck_assert_int_eq(fd_write_all(ends[1], "x", 1), -EPIPE);
	close(ends[1]);
}
END_TEST

Suite *
fd_suite(void)
{
	Suite *suite = suite_create("base/fd");
	TCase *tests = tcase_create("fd");

	tcase_add_test(tests, closed_once);
	tcase_add_loop_test(tests, a_file_of_any_size, 0, array_size(sizes));
	tcase_add_test(tests, a_file_without_a_size);
	tcase_add_test(tests, files_that_cannot_be_read);
	tcase_add_test(tests, not_more_than_wanted);
	tcase_add_test(tests, not_forever);
	tcase_add_test(tests, more_than_a_pipe_holds);
	tcase_add_test(tests, a_pipe_that_nobody_reads);
	suite_add_tcase(suite, tests);
	return suite;
}
