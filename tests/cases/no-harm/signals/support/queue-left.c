/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread queues real-time signals to the main thread, which makes calls all
 * the time, until there is a line of input. Then the program prints whether
 * each signal came, once, in order and with its siginfo. See queue-left.py.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

#define SIGNALS 2
#define AHEAD	8

static atomic_int sent[SIGNALS], seen[SIGNALS];
static atomic_int over, wrong;
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
	wrong += info->si_value.sival_int != seen[which] ||
		 info->si_code != SI_QUEUE || info->si_pid != getpid() ||
		 info->si_uid != getuid() || f(which) != which;
	seen[which]++;
}

static void *
queue(void *unused)
{
	struct pollfd input = { .events = POLLIN };

	for (int turn = 0; poll(&input, 1, 0) == 0; turn++) {
		int which = turn % SIGNALS;
		union sigval value = { .sival_int = sent[which] };

		while (sent[which] - seen[which] > AHEAD)
			sched_yield();
		if (!pthread_sigqueue(receiver, SIGRTMIN + which, value))
			sent[which]++;
	}
	over = 1;
	return unused;
}

int
main(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO };
	pthread_t sender;

	sigaddset(&action.sa_mask, SIGRTMIN);
	sigaddset(&action.sa_mask, SIGRTMIN + 1);
	for (int which = 0; which < SIGNALS; which++)
		sigaction(SIGRTMIN + which, &action, 0);
	receiver = pthread_self();
	pthread_create(&sender, 0, queue, 0);
	say("ready");
	for (int i = 0; !over; i++)
		wrong += f(i) != i;
	pthread_join(sender, 0);
	for (int which = 0; which < SIGNALS; which++)
		wrong += sent[which] != seen[which];
	say(wrong ? "WRONG" : "each once, in order");
	return wrong != 0;
}
