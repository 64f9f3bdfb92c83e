/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each signal's handler arms a timer for the next one in 200 microseconds. That
 * is long enough for instructions, but on a busy machine too short for a stop.
 * A thread that a signal sends back to a site must pass the site before the
 * next signal comes, or the test never ends. The displaced instructions are a
 * push, a jump and a call through memory, a return, and a plain one.
 *
 * FILE: p.conf: int pushes(int); int jumps(int); int calls(int);
 * FILE: p.conf: int empty(int); int target(int);
 * TIMEOUT: 120
 *
 * RUN: xtrace --pid=never -b -F p.conf -x pushes+jumps+calls+empty+target %t
 * COUNT: 200 pushes(%any
 * COUNT: 200 jumps(%any
 * COUNT: 200 calls(%any
 * COUNT: 200 empty(%any
 * COUNT: 600 target(%any
 *
 * RUN: xtrace --pid=never -b -F p.conf -x pushes+jumps+calls+empty+target -p %p
 * ATTACH:
 * COUNT: 200 pushes(%any
 * COUNT: 200 jumps(%any
 * COUNT: 200 calls(%any
 * COUNT: 200 empty(%any
 * COUNT: 600 target(%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <ucontext.h>

#define TURNS 200
#define AFTER_US 200

int pushes(int x);
int jumps(int x);
int calls(int x);
int empty(int x);
int target(int x);

__asm__(".text\n"
	".globl pushes, jumps, calls, empty, target\n"
	".type pushes, @function\n .type jumps, @function\n"
	".type calls, @function\n .type empty, @function\n"
	".type target, @function\n"
	"pushes: push %rbx\n call target\n pop %rbx\n ret\n"
	".size pushes, . - pushes\n"
	"jumps: jmp *where(%rip)\n .size jumps, . - jumps\n"
	"calls: call *where(%rip)\n ret\n .size calls, . - calls\n"
	"empty: ret\n .size empty, . - empty\n"
	"target: mov %edi, %eax\n ret\n .size target, . - target\n"
	".data\n where: .quad target\n .text\n");

static volatile int going, in_turns, strange;
static volatile uintptr_t strangest;

/* Arms the timer once more, except at the end. */
static void
aim(void)
{
	struct itimerval once = { { 0, 0 }, { 0, going ? AFTER_US : 0 } };

	setitimer(ITIMER_REAL, &once, 0);
}

static void
handler(int number, siginfo_t *info, void *frame)
{
	uintptr_t pc =
		(uintptr_t)((ucontext_t *)frame)->uc_mcontext.gregs[REG_RIP];
	extern const char __executable_start[], etext[];

	(void)number;
	(void)info;
	if (in_turns &&
	    (pc < (uintptr_t)__executable_start || pc >= (uintptr_t)etext)) {
		strange++;
		strangest = pc;
	}
	aim();
}

static int
all(void)
{
	int faults = 0;

	going = 1;
	aim();
	in_turns = 1;
	for (int i = 0; i < TURNS; i++) {
		faults += pushes(i) != i;
		faults += jumps(i) != i;
		faults += calls(i) != i;
		empty(i);
	}
	in_turns = 0;
	going = 0;
	return faults;
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	int faults;

	(void)argc;
	(void)argv;
	ready();
	sigaction(SIGALRM, &action, 0);
	faults = all();
	if (strange) {
		char line[64];

		snprintf(line, sizeof(line), "WRONG: interrupted at %#lx",
			 (unsigned long)strangest);
		say(line);
	}
	return faults || strange;
}
