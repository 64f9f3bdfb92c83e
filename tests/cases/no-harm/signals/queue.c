/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real-time signals arrive in order, none lost, each with its siginfo, at a
 * thread that makes traced calls meanwhile. This also holds while system calls
 * are injected into the thread: each block of sites needs a new mapping for its
 * slots.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 3500 f(%num%any
 * COUNT: 3000 --- SIGRT%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 3500 f(%num%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>

#define SIGNALS 3
#define EACH 1000

static int seen[SIGNALS];
static int faults;
static pthread_t receiver;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number, siginfo_t *info, void *unused)
{
	int which = number - SIGRTMIN;

	(void)unused;
	if (info->si_value.sival_int != seen[which] ||
	    info->si_code != SI_QUEUE || info->si_pid != getpid() ||
	    info->si_uid != getuid())
		faults++;
	seen[which]++;
	f(seen[which]);
}

static void *
send(void *unused)
{
	for (int i = 0; i < EACH; i++)
		for (int which = 0; which < SIGNALS; which++) {
			union sigval value = { .sival_int = i };

			while (pthread_sigqueue(receiver, SIGRTMIN + which,
						value) == EAGAIN)
				;
		}
	return unused;
}

int
main(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO };
	pthread_t sender;

	sigfillset(&action.sa_mask);
	sigdelset(&action.sa_mask, SIGTRAP);
	for (int which = 0; which < SIGNALS; which++)
		sigaction(SIGRTMIN + which, &action, 0);
	ready();
	receiver = pthread_self();
	pthread_create(&sender, 0, send, 0);
	for (int i = 0; i < 500; i++)
		if (f(i) != i)
			return 1;
	pthread_join(sender, 0);
	for (int which = 0; which < SIGNALS; which++)
		while (seen[which] < EACH)
			usleep(100);
	return faults;
}
