/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program steps itself into its first traced function. The system calls that
 * xtrace makes in the thread there, to map a slot for the return, are not
 * stepped: the first call has as many steps as the second one. signal() is in
 * the C library, which calls sigaction(), so nothing is mapped before that.
 *
 * RUN: xtrace -L -x getppid %t
 * CONTAINS:
 *   getppid(%any
 *   getppid(%any
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#include <signal.h>
#include <unistd.h>

static volatile int steps;

static void
handler(int number)
{
	OPAQUE(number);
	steps++;
}

/* Returns how many SIGTRAPs come from the call. */
NOINLINE static int
stepped(void)
{
	steps = 0;
	__asm__ volatile("sub $128, %%rsp\n pushf\n orq $0x100, (%%rsp)\n"
			 "popf\n call *%0\n pushf\n andq $~0x100, (%%rsp)\n"
			 "popf\n add $128, %%rsp"
			 :
			 : "r"(getppid)
			 : "cc", "memory", "rax", "rcx", "rdx", "rsi", "rdi",
			   "r8", "r9", "r10", "r11");
	return steps;
}

int
main(void)
{
	int first, second;

	signal(SIGTRAP, handler);
	first = stepped();
	second = stepped();
	return first == second && first > 3 ? 0 : 1;
}
