/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f all the time, and sends itself a SIGTRAP at each hundredth turn,
 * until there is input to read. See static.py.
 *
 * VARIANT: static -static
 * VARIANT: static-pie -static-pie
 */
#define _GNU_SOURCE
#include "subject.h"
#include <poll.h>
#include <signal.h>
#include <stdlib.h>

static volatile int traps;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
trapped(int number)
{
	traps += number == SIGTRAP && f(1) == 1;
}

static int
is_ours(void)
{
	struct sigaction action;

	sigaction(SIGTRAP, 0, &action);
	return action.sa_handler == trapped;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = trapped };
	struct pollfd input = { .events = POLLIN };
	char line[64];

	snprintf(line, sizeof(line), "pid %d", getpid());
	say(line);
	sigaction(SIGTRAP, &action, 0);
	for (int turn = 1;; turn++) {
		f(2);
		if (turn % 100)
			continue;
		raise(SIGTRAP);
		if (traps != turn / 100)
			return 1;
		if (poll(&input, 1, 0)) {
			await_line();
			/*
			 * xtrace was killed, so it cannot hide its action any
			 * more.
			 */
			say(is_ours() ? "its own" : "another");
			return 3;
		}
	}
}
