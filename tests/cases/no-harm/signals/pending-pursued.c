/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP is sent to a thread that blocks it, or to the process, and is
 * pending. The thread gets another signal at each traced call, mostly while it
 * is stopped at a trap. Each call returns, and the SIGTRAP stays pending until
 * the program takes it.
 *
 * FILE: p.conf: int f(int);
 * LDFLAGS: -pthread
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 400 f(%num%any
 * MESSAGES: any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>

#define ROUNDS 10
#define CALLS 20

static _Atomic long calls, handled;
static _Atomic int done;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
on_signal(int number)
{
	(void)number;
	handled++;
}

/* Sends the thread one signal for each of its calls. */
static void *
pursue(void *thread)
{
	sigset_t all;
	long sent = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, 0);
	while (!done) {
		if (sent < calls && sent == handled) {
			sent++;
			pthread_kill(*(pthread_t *)thread, SIGUSR1);
		}
		sched_yield();
	}
	return 0;
}

static int
is_pending(void)
{
	const struct timespec none = { 0, 0 };
	siginfo_t info;
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	return sigtimedwait(&trap, &info, &none) == SIGTRAP &&
	       info.si_pid == getpid();
}

static void
rounds(const char *what, pid_t tid)
{
	long right = 0;
	char line[64];

	for (int round = 0; round < ROUNDS; round++) {
		if (tid)
			syscall(SYS_tgkill, getpid(), tid, SIGTRAP);
		else
			kill(getpid(), SIGTRAP);
		for (int i = 0; i < CALLS; i++) {
			calls++;
			f(i);
		}
		right += is_pending() && !is_pending();
	}
	snprintf(line, sizeof(line), "%s: %ld", what, right);
	say(line);
}

int
main(void)
{
	pthread_t self = pthread_self(), other;
	sigset_t trap;

	signal(SIGUSR1, on_signal);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &trap, 0);
	pthread_create(&other, 0, pursue, &self);
	rounds("sent to the thread", gettid());
	rounds("sent to the process", 0);
	done = 1;
	pthread_join(other, 0);
	return 0;
}
