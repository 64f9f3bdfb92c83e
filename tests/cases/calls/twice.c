/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that return twice, or somewhere else: setjmp, getcontext, vfork,
 * fork, clone, the first function of makecontext, _start. The program must not
 * notice the trace, and the calls after them are shown correctly.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int fine(int);
 *
 * RUN: xtrace -b --pid=never -F p.conf -x fine+_setjmp+setjmp+__sigsetjmp+sigsetjmp+longjmp+siglongjmp+getcontext+setcontext+swapcontext+makecontext+vfork+fork+clone+_start+first+main+__libc_start_main %t
 * CONTAINS:
 *   _start@%any
 *   main(%any
 *   fine(1) = 1
 *   fine(2) = 2
 *   fine(3) = 3
 *   fine(4) = 4
 *   fine(5) = 5
 *   fine(6) = 6
 *   fine(7) = 7
 *   +++ exited (status 0) +++
 * COUNT: 7 fine(%num) = %num
 * SAYS:
 *   xtrace: sigsetjmp: not loaded yet%any
 *   xtrace: sigsetjmp: no module ever had it%any
 *
 * RUN: xtrace -b -f --pid=never -F p.conf -x fine+_setjmp+getcontext+setcontext+vfork+fork+clone+first %t
 * COUNT: 1 fine(1%go
 * COUNT: 1 fine(5%go
 * COUNT: 1 fine(6%go
 * COUNT: 1 fine(7%go
 * COUNT: 1 fine(99%go
 *
 * RUN: xtrace -b -x '@libc.so.6-malloc@libc.so.6' %t
 *
 * RUN: xtrace -b %t
 */
#define _GNU_SOURCE
#include "subject.h"
#include <sched.h>
#include <setjmp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>

static jmp_buf place;
static sigjmp_buf other_place;
static ucontext_t home, fiber;
static char stack[65536] __attribute__((aligned(16)));

NOINLINE int
fine(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE void
first(int x)
{
	if (x != 17)
		_exit(50);
}

static int
child(void *status)
{
	return *(int *)status;
}

static int
status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int
main(void)
{
	volatile int times = 0;
	int status = 30;
	pid_t pid;

	if (setjmp(place) < 3)
		longjmp(place, ++times);
	if (times != 3)
		return 1;
	if (sigsetjmp(other_place, 1) == 0)
		siglongjmp(other_place, 1);
	fine(1);
	times = 0;
	getcontext(&home);
	if (++times < 3)
		setcontext(&home);
	fine(2);
	getcontext(&fiber);
	fiber.uc_stack.ss_sp = stack;
	fiber.uc_stack.ss_size = sizeof(stack);
	fiber.uc_link = &home;
	makecontext(&fiber, (void (*)(void))first, 1, 17);
	swapcontext(&home, &fiber);
	fine(3);
	pid = vfork();
	if (!pid)
		_exit(10);
	fine(4);
	if (status_of(pid) != 10)
		return 2;
	pid = vfork();
	if (!pid) {
		execl("/bin/true", "true", (char *)0);
		_exit(11);
	}
	fine(5);
	if (status_of(pid) != 0)
		return 3;
	pid = fork();
	if (!pid) {
		fine(99);
		exit(20);
	}
	fine(6);
	if (status_of(pid) != 20)
		return 4;
	pid = clone(child, stack + sizeof(stack), SIGCHLD, &status);
	if (status_of(pid) != 30)
		return 5;
	return fine(7) - 7;
}
