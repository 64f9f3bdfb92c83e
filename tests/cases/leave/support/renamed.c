/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execs itself again and again, each time from a thread other than the leader,
 * until there is a line of input. See renamed.py.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <poll.h>
#include <pthread.h>

static char **words;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
becomes_leader(void *argument)
{
	for (int i = 0; i < 200; i++)
		f(i);
	execv("/proc/self/exe", words);
	return argument;
}

int
main(int argc, char **argv)
{
	struct pollfd input = { .events = POLLIN };
	char *const again[] = { argv[0], (char *)"again", 0 };
	pthread_t thread;

	if (argc == 1)
		say("ready");
	if (poll(&input, 1, 0) == 1)
		return 3;
	words = (char **)again;
	pthread_create(&thread, 0, becomes_leader, 0);
	for (;;)
		f(1);
}
