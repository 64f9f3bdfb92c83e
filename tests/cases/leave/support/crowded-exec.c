/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Execs itself again and again until there is a line of input. Each time it has
 * many threads, which the exec ends and which start threads themselves all the
 * time. See crowded-exec.py.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <poll.h>
#include <pthread.h>

#define THREADS 40

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
caller(void *argument)
{
	f(1);
	poll(0, 0, 1);
	return argument;
}

static void *
parent(void *argument)
{
	for (;;) {
		pthread_t thread;

		if (pthread_create(&thread, 0, caller, 0) == 0)
			pthread_join(thread, 0);
	}
	return argument;
}

int
main(int argc, char **argv)
{
	struct pollfd input = { .events = POLLIN };
	char *const again[] = { argv[0], (char *)"again", 0 };

	if (argc == 1)
		say("ready");
	if (poll(&input, 1, 0) == 1)
		return 3;
	for (int i = 0; i < THREADS; i++) {
		pthread_t thread;

		pthread_create(&thread, 0, parent, 0);
	}
	poll(0, 0, 20);
	execv("/proc/self/exe", again);
	return 4;
}
