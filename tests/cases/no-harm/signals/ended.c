/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP of a program ends the program only if it would do so untraced. The
 * signal comes from an int3, raise(), kill() or a single step. Its action is
 * the default, or it is ignored or blocked, or its one-time handler has already
 * run. Each combination is tried in a child, and the child's end is printed.
 *
 * RUN: xtrace -x f %t started
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -f -x f %t started
 * CONTAINS:
 *   %any+++ killed by SIGTRAP +++
 *
 * RUN: xtrace -f -x f+sigaction+signal+raise+kill -p %p
 * ATTACH:
 * CONTAINS:
 *   %any+++ killed by SIGTRAP +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	f(number);
}

static void
prepare(char what)
{
	struct sigaction once = { .sa_handler = handler,
				  .sa_flags = SA_RESETHAND };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	if (what == 'b')
		sigprocmask(SIG_BLOCK, &set, 0);
	if (what == 'i')
		signal(SIGTRAP, SIG_IGN);
	if (what != 'o')
		return;
	sigaction(SIGTRAP, &once, 0);
	raise(SIGTRAP);
}

static void
trap(char how)
{
	if (how == 'r')
		raise(SIGTRAP);
	else if (how == 'k')
		kill(getpid(), SIGTRAP);
	else if (how == '3')
		__asm__ volatile("int3");
	else
		__asm__ volatile("sub $128, %%rsp\n pushf\n"
				 "orq $0x100, (%%rsp)\n popf\n nop\n"
				 "add $128, %%rsp"
				 :
				 :
				 : "cc", "memory");
}

int
main(int argc, char **argv)
{
	struct rlimit none = { 0, 0 };
	int status;

	(void)argv;
	setrlimit(RLIMIT_CORE, &none);
	if (argc < 2)
		ready();
	for (const char *what = "dibo"; *what; what++)
		for (const char *how = "rk3s"; *how; how++) {
			char line[32];
			pid_t pid = fork();

			if (!pid) {
				f(1);
				prepare(*what);
				f(2);
				trap(*how);
				/*
				 * A SIGTRAP that was sent stays pending while
				 * it is blocked.
				 */
				_exit(*what == 'b' ? 5 : 5 + f(3));
			}
			waitpid(pid, &status, 0);
			snprintf(line, sizeof(line), "%c%c %#x", *what, *how,
				 status);
			say(line);
		}
	return 0;
}
