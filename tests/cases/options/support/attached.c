/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads. After a line of input, one of them calls f, and then g, which
 * waits for the next line.
 *
 * LDFLAGS: -pthread
 */
#include "subject.h"

#include <pthread.h>

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

NOINLINE int
g(int n)
{
	OPAQUE(n);
	say("called");
	await_line();
	return n;
}

static void *
wait_for_ever(void *unused)
{
	OPAQUE(unused);
	for (;;)
		pause();
	return NULL;
}

int
main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_ever, NULL);
	ready();
	f(1);
	g(2);
	return 0;
}
