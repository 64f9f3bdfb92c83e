/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Until there is a line of input, one thread raises SIGTRAP, for which the
 * program has a handler, and another makes calls, with SIGTRAP blocked or not.
 * See raises.py.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

static volatile sig_atomic_t trapped;
static atomic_bool over;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
on_trap(int number)
{
	(void)number;
	trapped++;
}

static void *
calls(void *argument)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	for (int i = 0; !over; i++) {
		pthread_sigmask(i / 100 % 2 ? SIG_BLOCK : SIG_UNBLOCK, &set, 0);
		f(i);
	}
	return argument;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = on_trap };
	struct pollfd input = { .events = POLLIN };
	pthread_t thread;
	int raised = 0;

	sigaction(SIGTRAP, &action, 0);
	pthread_create(&thread, 0, calls, 0);
	say("ready");
	while (poll(&input, 1, 0) == 0) {
		raise(SIGTRAP);
		raised++;
	}
	over = true;
	pthread_join(thread, 0);
	say(trapped == raised ? "all trapped" : "some did not");
	return trapped != raised;
}
