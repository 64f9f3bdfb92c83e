/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timer's handler leaves by siglongjmp, directly out of traced calls. Every
 * tenth call waits for a jump. At the end the program prints for each call
 * whether it returned.
 *
 * CFLAGS: -O2
 */
#define _GNU_SOURCE
#include "subject.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#define CALLS 3000

static sigjmp_buf place;
static volatile int inside;
static char returned[CALLS + 1];

NOINLINE int
f(int x)
{
	while (x % 10 == 0 && inside)
		;
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	(void)number;
	/*
	 * Jumps once only: siglongjmp() restores the mask before it jumps, and
	 * the next signal may come at once.
	 */
	if (inside) {
		inside = 0;
		siglongjmp(place, 1);
	}
}

int
main(void)
{
	struct itimerval time = { { 0, 100 }, { 0, 100 } };
	struct sigaction action = { .sa_handler = handler };
	volatile int calls = 0;

	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &time, 0);
	while (calls < CALLS) {
		if (sigsetjmp(place, 1))
			continue;
		calls++;
		inside = 1;
		if (f(calls) != calls)
			return 1;
		inside = 0;
		returned[calls] = '1';
	}
	memset(&time, 0, sizeof(time));
	setitimer(ITIMER_REAL, &time, 0);
	for (int i = 1; i <= CALLS; i++)
		returned[i] += returned[i] ? 0 : '0';
	say(returned + 1);
	return 0;
}
