/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that block SIGTRAP are traced and still block it: alone or with all
 * other signals, by a call, by the mask of a handler, or from their birth. What
 * the program does at SIGTRAP does not change, nor does the action of SIGTRAP
 * that sigaction() returns.
 *
 * FILE: p.conf: int f(int);
 * LDFLAGS: -pthread
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t default
 * COUNT: 4 f(1%any= 1
 * COUNT: 103 f(2%any= 2
 * COUNT: 2 f(3%any= 3
 * COUNT: 1 f(4%any= 4
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t ignore
 * COUNT: 4 f(1%any= 1
 * COUNT: 103 f(2%any= 2
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t handler
 * COUNT: 4 f(1%any= 1
 * COUNT: 103 f(2%any= 2
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t once
 * COUNT: 103 f(2%any= 2
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 4 f(1%any= 1
 * COUNT: 103 f(2%any= 2
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#define TRAP_BIT (1UL << (SIGTRAP - 1))

static volatile int traps;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/*
 * What /proc says of this thread: is SIGTRAP blocked, and has it an action
 * other than the default?
 */
static unsigned long
blocks(void)
{
	char text[8192], *row;
	FILE *file = fopen("/proc/thread-self/status", "r");
	size_t length = fread(text, 1, sizeof(text) - 1, file);

	fclose(file);
	text[length] = '\0';
	row = strstr(text, "SigBlk:");
	return strtoul(row + 7, NULL, 16);
}

static void
tell(const char *what, unsigned long before, unsigned long after)
{
	char line[128];

	snprintf(line, sizeof(line), "%s: %#lx, then %#lx", what, before,
		 after);
	say(line);
}

static void
around(const char *what, int calls, int x)
{
	unsigned long before = blocks(), after;

	for (int i = 0; i < calls; i++)
		f(x);
	after = blocks();
	tell(what, before, after);
}

static void
in_handler(int number)
{
	(void)number;
	around("in a handler that masks all", 2, 3);
}

static void
trapped(int number)
{
	(void)number;
	traps++;
}

static void *
thread(void *unused)
{
	around("born so", 1, 4);
	return unused;
}

static void
block(int how, int all)
{
	sigset_t set;

	if (all) {
		sigfillset(&set);
	} else {
		sigemptyset(&set);
		sigaddset(&set, SIGTRAP);
	}
	pthread_sigmask(how, &set, 0);
}

/* Prints what sigaction() tells the program of its action. */
static void
tell_action(const char *when)
{
	struct sigaction action;
	char line[128];

	sigaction(SIGTRAP, 0, &action);
	snprintf(line, sizeof(line), "%s: %s, flags %#x, masks %d", when,
		 action.sa_handler == SIG_DFL	? "default" :
		 action.sa_handler == SIG_IGN	? "ignored" :
		 action.sa_handler == trapped	? "own" :
						  "WRONG",
		 action.sa_flags & ~0x04000000,
		 sigismember(&action.sa_mask, SIGUSR2));
	say(line);
}

static void
set_action(const char *what)
{
	struct sigaction action = { .sa_handler = trapped }, before;

	if (!strcmp(what, "ignore"))
		action.sa_handler = SIG_IGN;
	if (!strcmp(what, "once"))
		action.sa_flags = SA_RESETHAND;
	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGTRAP, &action, &before);
	if (before.sa_handler != SIG_DFL)
		say("WRONG: it was not the default");
	if (strcmp(what, "once") && signal(SIGTRAP, trapped) !=
					    action.sa_handler)
		say("WRONG: signal() tells another");
	sigaction(SIGTRAP, &action, 0);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "handler";
	struct sigaction masking = { .sa_handler = in_handler };
	pthread_t other;

	if (strcmp(what, "default"))
		set_action(what);
	if (argc < 2)
		ready();
	tell_action("at first");
	block(SIG_BLOCK, 0);
	around("blocked alone", 1, 1);
	around("blocked alone", 1, 1);
	block(SIG_UNBLOCK, 0);
	around("unblocked", 100, 2);
	block(SIG_BLOCK, 0);
	around("blocked alone after many calls", 1, 1);
	block(SIG_UNBLOCK, 0);
	block(SIG_SETMASK, 1);
	around("blocked with all", 1, 1);
	pthread_create(&other, 0, thread, 0);
	pthread_join(other, 0);
	block(SIG_UNBLOCK, 1);
	sigfillset(&masking.sa_mask);
	sigaction(SIGUSR1, &masking, 0);
	raise(SIGUSR1);
	around("after it", 3, 2);
	tell_action("then");
	if (!strcmp(what, "default"))
		return 0;
	raise(SIGTRAP);
	tell_action("after raise");
	return traps;
}
