/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clone and clone3 with all combinations of what may be shared. Each child
 * makes its calls, its parent continues to make its own, and all results are
 * right. With -f each call is shown, without it only those of the parent and
 * its threads.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 44 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f %t
 * COUNT: 44 f(1%any
 * COUNT: 44 f(3%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 44 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 44 f(1%any
 * COUNT: 44 f(3%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define ROUNDS 2

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static const uint64_t mixes[] = {
	SIGCHLD,
	0,
	CLONE_PARENT | SIGCHLD,
	CLONE_FILES | SIGCHLD,
	CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | CLONE_IO | SIGCHLD,
	CLONE_VM | SIGCHLD,
	CLONE_VM | SIGUSR1,
	CLONE_VM | CLONE_FILES | CLONE_FS | SIGCHLD,
	CLONE_VM | CLONE_SIGHAND | SIGCHLD,
	CLONE_VM | CLONE_VFORK | SIGCHLD,
	CLONE_VFORK | SIGCHLD,
};
#define MIXES (sizeof(mixes) / sizeof(*mixes))

static char *stack;

static int
child(void *unused)
{
	(void)unused;
	_exit(f(3) == 3 ? 40 : 41);
}

/* Starts a child with its own stack, from which it never returns. */
static pid_t
start(uint64_t mix, int by_clone3)
{
	struct clone_args args = {
		.flags = mix & ~(uint64_t)CSIGNAL,
		/*
		 * With CLONE_PARENT there must be no exit signal (clone3(2)).
		 */
		.exit_signal = mix & CLONE_PARENT ? 0 : mix & CSIGNAL,
	};
	pid_t pid;

	if (!by_clone3 || mix & CLONE_VM)
		return clone(child, stack + 65536, (int)mix, 0);
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		child(0);
	return pid;
}

static int
ended(pid_t pid, uint64_t mix)
{
	int status;

	/* The child's parent is our parent, which waits for the child. */
	if (mix & CLONE_PARENT)
		return 40;
	if (waitpid(pid, &status, __WALL) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int
every_mix(void)
{
	for (size_t i = 0; i < MIXES; i++)
		for (int by_clone3 = 0; by_clone3 < 2; by_clone3++) {
			pid_t pid = start(mixes[i], by_clone3);

			if (pid < 0 || f(1) != 1 ||
			    ended(pid, mixes[i]) != 40)
				return 1;
		}
	return 0;
}

int
main(void)
{
	signal(SIGUSR1, SIG_IGN);
	stack = mmap(0, 65536, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ready();
	for (int round = 0; round < ROUNDS; round++)
		if (every_mix())
			return 1 + round;
	return 0;
}
