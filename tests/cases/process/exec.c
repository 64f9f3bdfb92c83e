/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After an exec, the new program is traced from its first constructor. This
 * holds, too, if a thread that is not the leader calls exec while other threads
 * are in traced calls.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t leader
 * EXPECT:
 *   f(1) = 1
 *   --- Called exec() ---
 *   f(0) = 0
 *   f(7) = 7
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t thread
 * CONTAINS:
 *   f(1) = 1
 *   f(2%any
 *   --- Called exec() ---
 *   f(0) = 0
 *   f(7) = 7
 *   +++ exited (status 0) +++
 * COUNT: 1 f(7) = 7
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t failing
 * EXPECT:
 *   f(0) = 0
 *   f(1) = 1
 *   f(3) = 3
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <pthread.h>
#include <stdlib.h>

static char *self;
static pthread_barrier_t within;

NOINLINE int
f(int x)
{
	if (x == 2) {
		pthread_barrier_wait(&within);
		for (;;)
			pause();
	}
	OPAQUE(x);
	return x;
}

__attribute__((constructor)) static void
begin(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "leader") && strcmp(argv[1], "thread"))
		f(0);
}

static void
go(void)
{
	execl(self, self, "last", (char *)0);
	_exit(9);
}

static void *
other(void *unused)
{
	f(2);
	return unused;
}

static void *
run(void *unused)
{
	go();
	return unused;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "last";
	pthread_t thread;

	self = argv[0];
	if (!strcmp(what, "last"))
		return f(7) - 7;
	f(1);
	if (!strcmp(what, "failing")) {
		execl("/nonexistent", "x", (char *)0);
		execl("/proc/self/cmdline", "x", (char *)0);
		return f(3) - 3;
	}
	if (!strcmp(what, "leader"))
		go();
	pthread_barrier_init(&within, 0, 2);
	pthread_create(&thread, 0, other, 0);
	pthread_barrier_wait(&within);
	pthread_create(&thread, 0, run, 0);
	pthread_join(thread, 0);
	return 8;
}
