/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program dies of its own SIGTRAP, which has one line: although xtrace's
 * handler gets it first, and raises it once more with the default action.
 *
 * RUN: xtrace -x f %t raise
 * CONTAINS:
 *   f(1%any= 1
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   +++ killed by SIGTRAP +++
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace -L -Stgkill %t raise
 * EXPECT:
 *   tgkill@SYS(%any) = 0
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   +++ killed by SIGTRAP +++
 *
 * RUN: xtrace -x f %t blocked
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * So does a thread that blocks all signals, in which SIGTRAP is not blocked in
 * the kernel, when an instruction raises it.
 *
 * RUN: xtrace -x f %t all
 * CONTAINS:
 *   f(1%any= 1
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   +++ killed by SIGTRAP +++
 * COUNT: 1 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace -x f %t ignored
 * CONTAINS:
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   f(1%any= 1
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   +++ killed by SIGTRAP +++
 * COUNT: 3 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace -x f %t reset
 * CONTAINS:
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   f(1%any= 1
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   +++ killed by SIGTRAP +++
 * COUNT: 2 --- SIGTRAP (Trace/breakpoint trap) ---
 */
#include "subject.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	OPAQUE(number);
}

/* After this many calls the mask is virtual (tracer/sigtrap/virtual_mask). */
static void
trap_with_all_blocked(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < 64; i++)
		f(1);
	__asm__ volatile("int3");
}

int
main(int argc, char **argv)
{
	const struct rlimit none = { 0, 0 };
	const char *how = argc > 1 ? argv[1] : "";
	struct sigaction once = { .sa_handler = handler,
				  .sa_flags = SA_RESETHAND };
	sigset_t trap;

	setrlimit(RLIMIT_CORE, &none);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	if (!strcmp(how, "blocked"))
		sigprocmask(SIG_BLOCK, &trap, NULL);
	if (!strcmp(how, "all"))
		trap_with_all_blocked();
	if (!strcmp(how, "ignored"))
		signal(SIGTRAP, SIG_IGN);
	if (!strcmp(how, "reset"))
		sigaction(SIGTRAP, &once, NULL);
	if (strcmp(how, "raise") != 0)
		raise(SIGTRAP);
	if (!strcmp(how, "ignored"))
		raise(SIGTRAP);
	f(1);
	if (!strcmp(how, "ignored"))
		__asm__ volatile("int3");
	sigprocmask(SIG_UNBLOCK, &trap, NULL);
	raise(SIGTRAP);
	return 0;
}
