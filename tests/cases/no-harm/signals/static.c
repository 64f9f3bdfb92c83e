/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without a loader that has a SIGTRAP handler. Its own signals and
 * traps reach the handler while the handler, or a function that the handler
 * calls, is traced. sigaction() tells the program its own action of SIGTRAP,
 * and its mask is right, too. The program execs itself, so each RUN has fifty
 * starts.
 *
 * VARIANT: static -static
 * VARIANT: static-pie -static-pie
 * VARIANT: musl CC=musl-gcc -static
 * TIMEOUT: 120
 * FILE: p.conf: int f(int); void trapped(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t 50
 * COUNT: 300 f(1) = 1
 * COUNT: 250 f(2) = 2
 * COUNT: 300 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x trapped %t 50
 * COUNT: 300 trapped(5%any
 * COUNT: 300 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x f+trapped %t 50
 * COUNT: 300 f(1) = 1
 * COUNT: 300 trapped(5%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+trapped -p %p
 * ATTACH:
 * COUNT: 6 f(1) = 1
 * COUNT: 5 f(2) = 2
 * COUNT: 6 trapped(5%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdlib.h>

static volatile int traps;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE void
trapped(int number)
{
	traps += number == SIGTRAP && f(1) == 1;
}

static int
is_ours(void)
{
	struct sigaction action;

	sigaction(SIGTRAP, 0, &action);
	return action.sa_handler == trapped &&
	       sigismember(&action.sa_mask, SIGUSR2) == 1 &&
	       sigismember(&action.sa_mask, SIGUSR1) == 0;
}

/* A signal that is blocked stays pending while traced functions are called. */
static int
waits(void)
{
	sigset_t set, before;
	int count = traps, waited;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigprocmask(SIG_BLOCK, &set, &before);
	raise(SIGTRAP);
	waited = f(2) == 2 && traps == count;
	sigprocmask(SIG_SETMASK, &before, 0);
	return waited && traps == count + 1;
}

static int
once(void)
{
	struct sigaction action = { .sa_handler = trapped }, before;

	sigaddset(&action.sa_mask, SIGUSR2);
	if (sigaction(SIGTRAP, &action, &before) ||
	    before.sa_handler != SIG_DFL)
		return 0;
	for (int i = 0; i < 3; i++) {
		raise(SIGTRAP);
		if (f(2) != 2)
			return 0;
	}
	__asm__ volatile("int3");
	kill(getpid(), SIGTRAP);
	return f(2) == 2 && traps == 5 && is_ours() && waits();
}

int
main(int argc, char **argv)
{
	int left = argc > 1 ? atoi(argv[1]) : 0;
	char word[16];

	if (!left)
		ready();
	if (!once()) {
		say("wrong");
		return 1;
	}
	if (left < 2)
		return 3;
	snprintf(word, sizeof(word), "%d", left - 1);
	execl("/proc/self/exe", argv[0], word, (char *)0);
	return 2;
}
