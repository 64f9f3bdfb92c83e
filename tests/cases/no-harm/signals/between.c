/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread raises SIGTRAP again and again, for which the program has a
 * handler, while other threads block all signals and make traced calls. Each
 * trap of these threads makes the kernel reset the action that the raised
 * signal needs.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -c -F p.conf -x f %t started
 *
 * RUN: xtrace -c -F p.conf -x f -p %p
 * ATTACH:
 */
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#define RAISES 400
#define BLOCKERS 3

static volatile sig_atomic_t trapped;
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
	trapped++;
}

static void *
blocks(void *argument)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, 0);
	while (!over)
		f(1);
	return argument;
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = on_trap };
	pthread_t threads[BLOCKERS];

	sigaction(SIGTRAP, &action, 0);
	(void)argv;
	if (argc < 2)
		ready();
	for (int i = 0; i < BLOCKERS; i++)
		pthread_create(&threads[i], 0, blocks, 0);
	for (int i = 0; i < RAISES; i++)
		raise(SIGTRAP);
	over = true;
	for (int i = 0; i < BLOCKERS; i++)
		pthread_join(threads[i], 0);
	say(trapped == RAISES ? "all trapped" : "some did not");
	return trapped != RAISES;
}
