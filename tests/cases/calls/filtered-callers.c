/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of the program are traced, and a library calls the same functions all
 * the time, in two threads and under a timer. With --engine=agent these calls
 * soon pass without a stop, and the lines are the same. The functions begin
 * with windows of several kinds (arch/jump.h). Signals are not shown, because
 * the line of a signal may come between a call and its result.
 *
 * LIB: libmod.so -DMOD -O2
 * LIB: libother.so -DOTHER -O2 -fno-plt
 * CFLAGS: -O2 -fno-plt
 * LDFLAGS: -lother -lmod -Wl,-z,now -lpthread
 * FILE: p.conf: int f1(int);
 * FILE: p.conf: int f2(int);
 * FILE: p.conf: int f3(int);
 *
 * RUN: xtrace -b -F p.conf --pid=never -e f1@MAIN+f2@MAIN+f3@MAIN --engine=ptrace %t 60
 * CONTAINS:
 *   f1(1) = 2
 *   f2(1) = 2
 *   f3(1) = 2
 *   f1(2) = 3
 *   f2(2) = 3
 *   f3(2) = 3
 *   f1(3) = 4
 *   f2(3) = 4
 *   f3(3) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -b -F p.conf --pid=never -e f1@MAIN+f2@MAIN+f3@MAIN --engine=agent --stats %t 200000
 * CONTAINS:
 *   f1(1) = 2
 *   f2(1) = 2
 *   f3(1) = 2
 *   f1(2) = 3
 *   f2(2) = 3
 *   f3(2) = 3
 *   f1(3) = 4
 *   f2(3) = 4
 *   f3(3) = 4
 *   +++ exited (status 0) +++
 * MESSAGES: any
 *
 * RUN: xtrace -F p.conf -f -e f1@MAIN+f2@MAIN+f3@MAIN --engine=auto %t 20000
 * CONTAINS:
 *   %num +++ exited (status 0) +++
 */
#include "subject.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

int f1(int x);
int f2(int x);
int f3(int x);
void *others(void *count);

#if defined(MOD)
int
f1(int x)
{
	return x + 1;
}

/* push; mov; sub: its boundaries are behind the first and the fourth byte. */
__asm__(".globl f2\n"
	".type f2, @function\n"
	"f2:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"sub $16,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"leave\n\t"
	"ret\n"
	".size f2, . - f2\n");

static volatile int one = 1;

int
f3(int x)
{
	return x + one;
}
#elif defined(OTHER)
/* Returns NULL if every result is right, or else its argument. */
void *
others(void *count)
{
	for (int i = 0; i < *(int *)count; i++)
		if (f1(i) != i + 1 || f2(i) != i + 1 || f3(i) != i + 1)
			return count;
	return NULL;
}
#else
static int count, few = 20;

static void
on_timer(int signal)
{
	(void)signal;
	if (others(&few))
		abort();
}

static void
fork_one(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(others(&few) != NULL);
	if (waitpid(pid, &status, 0) != pid || status != 0)
		abort();
}

int
main(int argc, char **argv)
{
	const struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	pthread_t threads[2];
	void *wrong;

	count = argc > 1 ? atoi(argv[1]) : 10;
	signal(SIGPROF, on_timer);
	setitimer(ITIMER_PROF, &timer, NULL);
	for (int round = 1; round <= 3; round++) {
		for (int i = 0; i < 2; i++)
			pthread_create(&threads[i], NULL, others, &count);
		if (f1(round) != round + 1 || f2(round) != round + 1 ||
		    f3(round) != round + 1)
			return 1;
		fork_one();
		for (int i = 0; i < 2; i++) {
			pthread_join(threads[i], &wrong);
			if (wrong)
				return 2;
		}
	}
	return 0;
}
#endif
