/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The leader ends first. The other threads run and are traced.
 *
 * LDFLAGS: -pthread
 *
 * RUN: xtrace --pid=never -x f %t
 * COUNT: 10 f(%any
 * CONTAINS:
 *   +++ exited (status 5) +++
 */
#include "subject.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static pthread_t leader;

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x;
}

static void *
run(void *unused)
{
	pthread_join(leader, 0);
	for (int i = 0; i < 10; i++)
		f(i);
	exit(5);
	return unused;
}

int
main(void)
{
	pthread_t thread;

	leader = pthread_self();
	pthread_create(&thread, 0, run, 0);
	pthread_exit(0);
}
