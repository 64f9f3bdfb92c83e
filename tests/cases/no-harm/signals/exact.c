/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A timer's signal finds the program in a state that is exact to the
 * instruction: within f and g, the pc is at the beginning of an instruction,
 * and the effects of all instructions before it, and no others, are visible.
 * When a program is traced, most signals arrive while a thread is at its trap,
 * and find it in a slot.
 *
 * CFLAGS: -O2 -mno-red-zone
 * TIMEOUT: 60
 *
 * RUN: xtrace --pid=never -b -x f+g %t
 * COUNT: 4000 f(%any
 * COUNT: 4000 g(%any
 *
 * RUN: xtrace --pid=never -b -x f+g -p %p
 * ATTACH:
 * COUNT: 4000 f(%any
 * COUNT: 4000 g(%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <ucontext.h>

#define CALLS 4000

/*
 * f and g are called with 100 in eax. Each mov of f has five bytes and adds 1
 * to eax. The numbers beside g are the offsets of its instructions.
 */
__asm__(".text\n"
	".globl f, g\n"
	".type f, @function\n"
	".type g, @function\n"
	"f: mov $101, %eax\n"
	"mov $102, %eax\n"
	"mov $103, %eax\n"
	"ret\n"
	".size f, . - f\n"
	"g: push %rbp\n"   /* 0 */
	"mov %rsp, %rbp\n" /* 1 */
	"mov $101, %eax\n" /* 4 */
	"pop %rbp\n"	   /* 9 */
	"ret\n"		   /* 10 */
	".size g, . - g\n");
extern const unsigned char f[], g[];

/* The stack pointer at the entry of f and g. */
static volatile uintptr_t entry;
static volatile uintptr_t strange, strangest;

static int
right_in_f(uintptr_t at, const greg_t *regs)
{
	return at % 5 == 0 && (uintptr_t)regs[REG_RAX] == 100 + at / 5 &&
	       (uintptr_t)regs[REG_RSP] == entry;
}

static int
right_in_g(uintptr_t at, const greg_t *regs)
{
	uintptr_t sp = (uintptr_t)regs[REG_RSP];
	int framed = (uintptr_t)regs[REG_RBP] == entry - 8;
	long done = regs[REG_RAX];

	switch (at) {
	case 0:
		return sp == entry && !framed && done == 100;
	case 1:
		return sp == entry - 8 && !framed && done == 100;
	case 4:
		return sp == entry - 8 && framed && done == 100;
	case 9:
		return sp == entry - 8 && framed && done == 101;
	case 10:
		return sp == entry && !framed && done == 101;
	default:
		return 0;
	}
}

static void
handler(int number, siginfo_t *info, void *frame)
{
	const greg_t *regs = ((ucontext_t *)frame)->uc_mcontext.gregs;
	uintptr_t pc = (uintptr_t)regs[REG_RIP];
	int right = 1;

	(void)number;
	(void)info;
	if (pc - (uintptr_t)f < 16)
		right = right_in_f(pc - (uintptr_t)f, regs);
	else if (pc - (uintptr_t)g < 11)
		right = right_in_g(pc - (uintptr_t)g, regs);
	else
		return;
	if (!right) {
		strange++;
		strangest = pc;
	}
}

#define CALL(function)                            \
	__asm__ volatile("lea -8(%%rsp), %%rcx\n" \
			 "mov %%rcx, %0\n"        \
			 "mov $100, %%eax\n"      \
			 "call " #function        \
			 : "=m"(entry)            \
			 :                        \
			 : "rax", "rcx", "memory", "cc")

int
main(int argc, char **argv)
{
	struct itimerval time = { { 0, 100 }, { 0, 100 } };
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO | SA_RESTART };
	char line[64];

	(void)argv;
	if (argc < 2)
		ready();
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &time, 0);
	for (int i = 0; i < CALLS; i++) {
		for (volatile int spin = 0; spin < 1000; spin++)
			;
		CALL(f);
		CALL(g);
	}
	snprintf(line, sizeof(line), "wrong: %lu, at %#lx",
		 (unsigned long)strange, (unsigned long)strangest);
	say(line);
	return strange != 0;
}
