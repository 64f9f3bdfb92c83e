/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP that was sent to a thread which blocks it stays pending while the
 * thread makes traced calls. Whatever action the program has, the signal is
 * delivered when the thread unblocks it or takes it by sigwait().
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t default
 * COUNT: 5 f(1%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t ignore
 * COUNT: 5 f(1%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t handler
 * COUNT: 5 f(1%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 5 f(1%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <time.h>

static volatile int traps;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	(void)number;
	traps++;
}

static void *
sends(void *to)
{
	pthread_kill(*(pthread_t *)to, SIGTRAP);
	return 0;
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "handler";
	const struct timespec none = { 0, 0 };
	pthread_t self = pthread_self(), other;
	sigset_t trap, waits;
	char line[64];

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &trap, 0);
	if (!strcmp(what, "ignore"))
		signal(SIGTRAP, SIG_IGN);
	if (!strcmp(what, "handler"))
		signal(SIGTRAP, handler);
	if (argc < 2)
		ready();
	pthread_create(&other, 0, sends, &self);
	pthread_join(other, 0);
	for (int i = 0; i < 5; i++)
		f(1);
	sigpending(&waits);
	snprintf(line, sizeof(line), "waits: %d, traps: %d",
		 sigismember(&waits, SIGTRAP), traps);
	say(line);
	if (!strcmp(what, "handler"))
		pthread_sigmask(SIG_UNBLOCK, &trap, 0);
	else
		traps = sigtimedwait(&trap, 0, &none);
	snprintf(line, sizeof(line), "then: %d", traps);
	say(line);
	return 0;
}
