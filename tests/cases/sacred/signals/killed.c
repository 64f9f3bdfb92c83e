/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals come all the time, and throw the thread back to sites again and
 * again. It says at the end whether its mask is what it was, and whether any
 * call gave a wrong result.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#define AFTER_US 20

static volatile int going = 1, faults;
static volatile unsigned long handled;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x + 1;
}

static void
aim(void)
{
	struct itimerval once = { { 0, 0 }, { 0, going ? AFTER_US : 0 } };

	setitimer(ITIMER_REAL, &once, 0);
}

static void
handler(int number)
{
	(void)number;
	handled++;
	aim();
}

static void
stop(int number)
{
	(void)number;
	going = 0;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = handler };
	struct sigaction stopping = { .sa_handler = stop };
	sigset_t before, after;
	unsigned long since;

	sigemptyset(&before);
	sigaddset(&before, SIGUSR2);
	sigprocmask(SIG_SETMASK, &before, 0);
	sigaction(SIGALRM, &action, 0);
	sigaction(SIGUSR1, &stopping, 0);
	ready();
	aim();
	for (int i = 0; going; i++)
		faults += f(i) != i + 1;
	sigprocmask(SIG_BLOCK, 0, &after);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&before, i) != sigismember(&after, i))
			faults++;
	/* Signals still come. */
	going = 1;
	since = handled;
	aim();
	while (handled < since + 100)
		;
	say(faults ? "WRONG" : "right");
	return faults != 0;
}
