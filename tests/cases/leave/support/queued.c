/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Until there is a line of input, a thread that blocks SIGTRAP makes calls,
 * while another thread sends that signal to it and to itself all the time. See
 * queued.py.
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

static volatile sig_atomic_t trapped, heard;
static pthread_t caller;
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
	if (pthread_equal(pthread_self(), caller))
		trapped++;
	else
		heard++;
}

static void *
calls(void *argument)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	for (int i = 0; !over; i++)
		f(i);
	say(trapped ? "it came too early" : "it waited");
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	say(trapped == 1 ? "it came" : "it did not come once");
	return argument;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = on_trap };
	struct pollfd input = { .events = POLLIN };
	sigset_t set;
	int raised = 0;

	sigaction(SIGTRAP, &action, 0);
	/* The new thread blocks SIGTRAP from its first instruction on. */
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	pthread_create(&caller, 0, calls, 0);
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	say("ready");
	while (poll(&input, 1, 0) == 0) {
		pthread_kill(caller, SIGTRAP);
		raise(SIGTRAP);
		raised++;
	}
	over = true;
	pthread_join(caller, 0);
	say(heard == raised ? "all heard" : "some not heard");
	return trapped != 1 || heard != raised;
}
