/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP that comes while the program's SIGTRAP handler runs waits until the
 * handler has returned, as it does untraced. If a program sends itself SIGTRAPs
 * faster than it handles them, its handler is not entered again, and does not
 * fill the alternate stack. The handler blocks all signals, as Go's does. It
 * calls a traced function, and sends the next signal itself.
 *
 * LDFLAGS: -lpthread
 * FILE: p.conf: int f(int);
 * TIMEOUT: 120
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 2000 f(1%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 2000 f(1%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define SIGNALS 1000 /* for each of two threads */

static __thread volatile int depth, count;
static volatile int deepest;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
trapped(int number)
{
	if (++depth > deepest)
		deepest = depth;
	/*
	 * This signal is blocked when it is sent. A larger depth means that it
	 * was delivered all the same.
	 */
	if (++count < SIGNALS && depth < 8)
		raise(number);
	f(1);
	depth--;
}

static void *
work(void *unused)
{
	stack_t stack = { .ss_sp = malloc(65536), .ss_size = 65536 };

	sigaltstack(&stack, 0);
	raise(SIGTRAP);
	return count == SIGNALS ? unused : 0;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = trapped,
				    .sa_flags = SA_ONSTACK };
	pthread_t thread;
	void *result;
	char line[64];

	sigfillset(&action.sa_mask);
	sigaction(SIGTRAP, &action, 0);
	ready();
	if (pthread_create(&thread, 0, work, line) || !work(line) ||
	    pthread_join(thread, &result) || !result)
		return 1;
	snprintf(line, sizeof(line), "deepest %d", deepest);
	say(line);
	return 3;
}
