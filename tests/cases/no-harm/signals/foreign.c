/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP that a process sends is delivered once, wherever it finds the
 * thread: also directly behind the first byte of a traced function, where
 * xtrace's own trap leaves the pc. `loops` comes back to this address at each
 * turn. The signals are sent to the process, because the kernel drops a SIGTRAP
 * sent to a thread while a trap's SIGTRAP is pending there (docs/SURVIVAL.md).
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int loops(int); int enters(int);
 *
 * RUN: xtrace --pid=never -c -F p.conf -x loops+enters %t
 * CONTAINS:
 *   %any loops
 *
 * RUN: xtrace -c -F p.conf -x loops+enters -p %p
 * ATTACH:
 * CONTAINS:
 *   %any loops
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#define SIGNALS 100

/* Most interrupts hit this loop right after its iretq, at loops_behind. */
int loops(int turns);
int enters(int x);
extern const char loops_behind[];
__asm__(".text\n .globl loops, loops_behind, enters\n"
	".type loops, @function\n .type enters, @function\n"
	"loops: push %rbx\n"
	"loops_behind: incl turned(%rip)\n dec %edi\n jz 1f\n mov %rsp, %rcx\n"
	" mov %ss, %eax\n push %rax\n push %rcx\n pushf\n"
	" mov %cs, %eax\n push %rax\n lea loops_behind(%rip), %rax\n"
	" push %rax\n iretq\n 1:\n"
	" pop %rbx\n mov $9, %eax\n ret\n .size loops, . - loops\n"
	"enters: push %rbx\n mov %edi, %ebx\n mov %ebx, %eax\n"
	" pop %rbx\n ret\n .size enters, . - enters\n");

static atomic_int handled, behind, over, wrong;
/* The number of turns of `loops`. */
atomic_uint turned;

static void
handler(int number, siginfo_t *info, void *frame)
{
	uintptr_t pc =
		(uintptr_t)((ucontext_t *)frame)->uc_mcontext.gregs[REG_RIP];

	(void)number;
	if (info->si_code != SI_USER)
		wrong++;
	behind += pc == (uintptr_t)loops_behind;
	handled++;
}

static void *
work(void *unused)
{
	while (!over) {
		wrong += loops(20000) != 9;
		for (int i = 0; i < 5; i++)
			wrong += enters(i) != i;
	}
	return unused;
}

int
main(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO };
	pthread_t worker;
	sigset_t set;

	sigaction(SIGTRAP, &action, 0);
	ready();
	pthread_create(&worker, 0, work, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	for (int i = 0; i < SIGNALS; i++) {
		/* Waits until the thread runs between its traps. */
		for (unsigned from = turned; turned - from < 20;)
			sched_yield();
		if (kill(getpid(), SIGTRAP))
			return 2;
		while (handled == i)
			sched_yield();
	}
	over = 1;
	pthread_join(worker, 0);
	say(handled == SIGNALS ? "each once" : "WRONG: lost or twice");
	say(behind ? "some behind" : "WRONG: none behind");
	if (wrong)
		say("WRONG: results or codes");
	return wrong;
}
