/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With -f, a child returns from the calls that its parent had begun: from fork
 * and vfork, and from the functions around fork. A child of vfork has its
 * parent's stack, a thread's child that of the thread. A child with a stack of
 * its own (clone) returns from none. Without -f, no such line is shown.
 *
 * FILE: p.conf: int fork(); int vfork(); int around(int); int f(int);
 * LDFLAGS: -pthread
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -e fork -x around+f %t fork
 * COUNT: 1 <... t->fork resumed> ) = 0
 * COUNT: 2 <... around resumed> ) = 7
 * COUNT: 1 f(1%go
 * COUNT: 2 +++ exited (status 0) +++
 *
 * RUN: xtrace -f -b --pid=never -T -F p.conf -e vfork %t vfork
 * CONTAINS:
 *   t->vfork( <unfinished ...>
 *   <... t->vfork resumed> ) = 0 <%dur>
 *   <... t->vfork resumed> ) = %num <%dur>
 * COUNT: 2 +++ exited (status 0) +++
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -e fork %t thread
 * COUNT: 1 <... t->fork resumed> ) = 0
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -x around %t clone
 * COUNT: 1 <... around resumed> ) = 7
 *
 * RUN: xtrace -b -F p.conf -e fork -x around %t fork
 * EXPECT:
 *   around(7 <unfinished ...>
 *   t->fork() = %num
 *   <... around resumed> ) = 7
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -c -f -F p.conf -e fork %t fork
 * CONTAINS:
 *   %any 1 fork
 *
 * RUN: xtrace --json -f -F p.conf -e fork %t fork
 * COUNT: 1 {"event":"call"%any
 */
#include "subject.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static char stack[65536];

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static int
only_exits(void *unused)
{
	(void)unused;
	_exit(0);
}

NOINLINE int
around(int x, const char *how)
{
	pid_t pid;

	if (!strcmp(how, "clone"))
		pid = clone(only_exits, stack + sizeof(stack), SIGCHLD, 0);
	else
		pid = fork();
	if (pid && waitpid(pid, 0, 0) != pid)
		x = 0;
	if (!pid)
		f(1);
	OPAQUE(x);
	return x;
}

static void *
forks(void *unused)
{
	if (!fork())
		_exit(0);
	wait(0);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2 || !strcmp(argv[1], "fork") || !strcmp(argv[1], "clone"))
		return around(7, argc < 2 ? "fork" : argv[1]) - 7;
	if (!strcmp(argv[1], "thread"))
		return pthread_create(&thread, 0, forks, 0) ||
		       pthread_join(thread, 0);
	if (!vfork())
		_exit(0);
	return wait(0) < 0;
}
