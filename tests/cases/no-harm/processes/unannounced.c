/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracer of a process also traces a child made with both CLONE_UNTRACED and
 * CLONE_PTRACE, but the kernel reports only the child's first stop, not its
 * birth. A child that shares its parent's memory is traced. In a child that has
 * a copy of that memory, no trap is left.
 *
 * TIMEOUT: 60
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 3 f(1%any
 * COUNT: 1 f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f %t
 * COUNT: 3 f(1%any
 * COUNT: 2 f(3%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 3 f(1%any
 * COUNT: 1 f(3%any
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

static int
child(void *shares)
{
	if (!shares && *(const unsigned char *)f == 0xcc)
		_exit(42);
	_exit(f(3) == 3 ? 40 : 41);
}

static int
thread(void *unused)
{
	(void)unused;
	return f(3);
}

/* Waits for a thread: the kernel clears tid when the thread has ended. */
static void
run_thread(void *stack)
{
	static volatile pid_t tid = -1;
	const int unannounced = CLONE_UNTRACED | CLONE_PTRACE | CLONE_VM |
				CLONE_SIGHAND | CLONE_THREAD |
				CLONE_CHILD_CLEARTID;

	if (clone(thread, stack, unannounced, 0, 0, 0, &tid) < 0)
		_exit(3);
	while (tid)
		sched_yield();
}

int
main(void)
{
	char *stack = mmap(0, 65536, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const int unannounced = CLONE_UNTRACED | CLONE_PTRACE | SIGCHLD;
	int status;

	ready();
	alarm(50);
	for (int i = 0; i < 2; i++) {
		pid_t pid = clone(child, stack + 65536,
				  unannounced | (i ? CLONE_VM : 0),
				  i ? stack : 0);

		if (pid < 0 || f(1) != 1 || waitpid(pid, &status, 0) != pid ||
		    !WIFEXITED(status) || WEXITSTATUS(status) != 40)
			return 1 + i;
	}
	run_thread(stack + 65536);
	return f(1) != 1;
}
