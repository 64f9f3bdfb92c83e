/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The error of a failed call is the thread's own errno, with every C library
 * whose errno xtrace can read. Memory that the call should have filled is then
 * shown as an address.
 *
 * VARIANT: pie -fPIE -pie -pthread
 * VARIANT: static -static -pthread
 * VARIANT: static-pie -static-pie -fPIE -pthread
 * VARIANT: musl CC=musl-gcc -pthread
 * VARIANT: musl-static CC=musl-gcc -static -pthread
 * FILE: p.conf: errno(int) access_file(string, out int *);
 *
 * RUN: xtrace --pid=never -F p.conf -x access_file %t
 * EXPECT:
 *   access_file("/", 7) = 0
 *   access_file("/no/such", %hex) = -1 ENOENT (No such file or directory)
 *   access_file("/dev/null/x", %hex) = -1 ENOTDIR (Not a directory)
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <pthread.h>
#include <unistd.h>

NOINLINE int
access_file(const char *path, int *found)
{
	int r = access(path, F_OK);

	if (r == 0)
		*found = 7;
	return r;
}

static void *
second(void *path)
{
	int found = 0;

	access_file(path, &found);
	return 0;
}

int
main(void)
{
	pthread_t thread;
	int found = 0;

	access_file("/", &found);
	access_file("/no/such", &found);
	pthread_create(&thread, 0, second, "/dev/null/x");
	return pthread_join(thread, 0);
}
