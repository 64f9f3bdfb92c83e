/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's own traps reach its own handler: int3, raise and kill with
 * SIGTRAP, a single step that it arms itself, a breakpoint that it plants in
 * itself. The handler was set before xtrace attached, or while it was attached.
 *
 * FILE: p.conf: int f(int); int loops(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f+loops %t
 * COUNT: 40 f(1) = 1
 * COUNT: 2 f(2) = 2
 * COUNT: 2 f(3) = 3
 * COUNT: 2 f(4) = 4
 * COUNT: 2 f(5) = 5
 * COUNT: 10 f(6) = 6
 * COUNT: 1 loops(%any
 * COUNT: 40 --- SIGTRAP (Trace/breakpoint trap) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x f+loops -p %p
 * ATTACH:
 * COUNT: 40 f(1) = 1
 * COUNT: 2 f(2) = 2
 * COUNT: 2 f(3) = 3
 * COUNT: 2 f(4) = 4
 * COUNT: 2 f(5) = 5
 * COUNT: 10 f(6) = 6
 * COUNT: 1 loops(%any
 * COUNT: 40 --- SIGTRAP (Trace/breakpoint trap) ---
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100

static volatile int traps, code, steps, steps_most;
static volatile uintptr_t at;
static unsigned char *broken, original;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
g(int x)
{
	OPAQUE(x);
	return x + 1;
}

static void
handler(int number, siginfo_t *info, void *frame)
{
	ucontext_t *context = frame;
	greg_t *registers = context->uc_mcontext.gregs;

	(void)number;
	code = info->si_code;
	at = (uintptr_t)registers[REG_RIP];
	if (broken && at == (uintptr_t)broken + 1) {
		*broken = original;
		registers[REG_RIP]--;
	}
	if (info->si_code == TRAP_TRACE && ++steps == steps_most)
		registers[REG_EFL] &= ~TRAP_FLAG;
	traps++;
	f(1);
}

static void
set_handler(void)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO };

	sigaction(SIGTRAP, &action, 0);
}

static int
breakpoint(void)
{
	uintptr_t page = (uintptr_t)g & -4096UL;

	mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC);
	original = *(unsigned char *)g;
	broken = (unsigned char *)g;
	*broken = 0xcc;
	return g(4) == 5 && *broken == original;
}

/*
 * A function with a loop that jumps to the address behind its first
 * instruction.
 */
int loops(int turns);
__asm__(".text\n .type loops, @function\n .globl loops\n"
	"loops: push %rbx\n 1: dec %edi\n jnz 1b\n pop %rbx\n"
	" mov $9, %eax\n ret\n .size loops, . - loops\n");

/*
 * Single-steps `loops`. Each step's SIGTRAP belongs to the program, and none is
 * taken for a trap of xtrace.
 */
static int
steps_loops(void)
{
	int result;

	steps = 0;
	steps_most = 12;
	__asm__ volatile("sub $128, %%rsp\n pushf\n orq $0x100, (%%rsp)\n"
			 "mov $4, %%edi\n popf\n call loops\n"
			 "add $128, %%rsp"
			 : "=a"(result)
			 :
			 : "cc", "memory", "rdi");
	return result == 9 ? steps : -1;
}

NOINLINE static int
single_steps(void)
{
	steps = 0;
	steps_most = 20;
	__asm__ volatile("pushf\n orq $0x100, (%%rsp)\n popf"
			 :
			 :
			 : "cc", "memory");
	for (volatile int i = 0; i < 100; i++)
		;
	return steps;
}

static int
all(const char *when)
{
	char line[128];
	int before = traps;

	__asm__ volatile("int3");
	f(2);
	snprintf(line, sizeof(line), "%s int3: %d, code %#x", when,
		 traps - before, code);
	say(line);
	before = traps;
	raise(SIGTRAP);
	f(3);
	snprintf(line, sizeof(line), "%s raise: %d, code %d", when,
		 traps - before, code);
	say(line);
	before = traps;
	kill(getpid(), SIGTRAP);
	f(4);
	snprintf(line, sizeof(line), "%s kill: %d, code %d", when,
		 traps - before, code);
	say(line);
	before = traps;
	if (!breakpoint())
		return 1;
	f(5);
	snprintf(line, sizeof(line), "%s breakpoint: %d, code %#x", when,
		 traps - before, code);
	say(line);
	for (int i = 0; i < 5; i++)
		f(6);
	return 0;
}

int
main(void)
{
	char line[64];

	set_handler();
	ready();
	if (all("before"))
		return 1;
	set_handler();
	if (all("after"))
		return 2;
	snprintf(line, sizeof(line), "steps: %d", single_steps());
	say(line);
	snprintf(line, sizeof(line), "steps of loops: %d", steps_loops());
	say(line);
	return 0;
}
