/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clone into new namespaces, where a process has another pid; with
 * CLONE_PTRACE; and with the flags that make clone() store tids. Each child
 * makes its calls, and its parent continues to make its own. With -f each call
 * is shown, without it only the parent's.
 *
 * FILE: p.conf: int f(int);
 * NEEDS: root
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 9 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f %t
 * COUNT: 9 f(1%any
 * COUNT: 45 f(3%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 9 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 9 f(1%any
 * COUNT: 45 f(3%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static const int mixes[] = {
	CLONE_PTRACE,
	CLONE_PTRACE | CLONE_VM,
	CLONE_PTRACE | CLONE_VM | CLONE_VFORK,
	CLONE_NEWPID,
	CLONE_NEWPID | CLONE_VM | CLONE_VFORK,
	CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC,
	CLONE_NEWUSER,
	CLONE_NEWUSER | CLONE_NEWPID,
	CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID,
};

static int
child(void *unused)
{
	(void)unused;
	for (int i = 0; i < 5; i++)
		if (f(3) != 3)
			_exit(41);
	_exit(40);
}

int
main(void)
{
	char *stack = mmap(0, 65536, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t parents, childs;
	int status;

	ready();
	for (size_t i = 0; i < sizeof(mixes) / sizeof(*mixes); i++) {
		pid_t pid = clone(child, stack + 65536, mixes[i] | SIGCHLD, 0,
				  &parents, 0, &childs);

		if (pid < 0 || f(1) != 1 || waitpid(pid, &status, 0) != pid ||
		    !WIFEXITED(status) || WEXITSTATUS(status) != 40)
			return 1 + (int)i;
	}
	return 0;
}
