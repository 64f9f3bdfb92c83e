/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * No tracer sees a child made with CLONE_UNTRACED, but its memory has the
 * traps. At each trap the SIGTRAP handler of xtrace makes the child continue.
 * It also works in a child that shares its parent's memory, and if the program
 * has set its own SIGTRAP action.
 *
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t
 * COUNT: 6 f(1%any
 * ABSENT:
 *   g(%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+g -p %p
 * ATTACH:
 * COUNT: 6 f(1%any
 * ABSENT:
 *   g(%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static volatile int traps, own_action;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
g(int x)
{
	OPAQUE(x);
	return x + 1;
}

static void
handler(int number)
{
	(void)number;
	traps++;
}

static int
child(void *unused)
{
	(void)unused;
	traps = 0;
	for (int i = 0; i < 1000; i++)
		if (g(i) != i + 1)
			_exit(9);
	if (own_action)
		raise(SIGTRAP);
	_exit(traps == own_action ? 40 : 10);
}

int
main(void)
{
	const int mixes[] = { SIGCHLD, CLONE_VM | SIGCHLD,
			      CLONE_VM | CLONE_VFORK | SIGCHLD };
	char *stack = mmap(0, 65536, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status;

	ready();
	for (int i = 0; i < 6; i++) {
		pid_t pid;

		if (i == 3) {
			signal(SIGTRAP, handler);
			own_action = 1;
		}
		f(1);
		pid = clone(child, stack + 65536, CLONE_UNTRACED | mixes[i % 3],
			    0);
		if (pid < 0 || waitpid(pid, &status, __WALL) != pid ||
		    !WIFEXITED(status) || WEXITSTATUS(status) != 40)
			return 1 + i;
	}
	return 0;
}
