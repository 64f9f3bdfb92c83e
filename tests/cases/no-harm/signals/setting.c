/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace attaches while a thread is within sigaction(SIGTRAP), before its
 * system call, so no site has seen the entry. The action that the thread sets
 * then is still taken as the program's, even if another thread, which blocks
 * SIGTRAP, makes the kernel reset every action by its traced calls. Within
 * sigaction(), the thread
 *
 *	blocks	until xtrace has attached
 *	runs	until xtrace has attached
 *	slips	out as soon as the function has a trap of xtrace, maybe before
 *		xtrace has looked at the thread
 *	faults	when the C library's sigaction() reads the action; the handler
 *		of that fault blocks until xtrace has attached
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod -pthread
 * VARIANT: blocks -DWITHIN=0
 * VARIANT: runs -DWITHIN=1
 * VARIANT: slips -DWITHIN=2
 * VARIANT: faults -DWITHIN=3
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 2 f(%num%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

extern void (*within)(void);

#ifdef MOD
/* The struct that rt_sigaction(2) takes. */
struct action {
	uintptr_t handler, flags, restorer, mask;
};

EXPORT void (*within)(void);

void restore(void);
__asm__(".text\n"
	"restore:\n"
	"	mov $15, %eax\n"
	"	syscall\n");

EXPORT NOINLINE int
sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
	struct action set = { (uintptr_t)action->sa_handler,
			      (uintptr_t)action->sa_flags | 0x04000000,
			      (uintptr_t)restore, 0 };
	struct action before = { 0 };
	long result;

	within();
	result = syscall(SYS_rt_sigaction, number, &set, &before,
			 sizeof(set.mask));
	if (old)
		old->sa_handler = (void (*)(int))before.handler;
	return (int)result;
}
#else
#include <pthread.h>
#include <sys/mman.h>

static volatile sig_atomic_t trapped, heard;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
on_trap(int number)
{
	(void)number;
	trapped++;
}

/* sigaction() of the C library, by a name that libmod does not have. */
int __sigaction(int number, const struct sigaction *action,
		struct sigaction *old);

static struct sigaction *no_page;

static void
on_fault(int number)
{
	(void)number;
	ready();
	mprotect(no_page, 4096, PROT_READ);
}

static int
set_by_library(struct sigaction *action, struct sigaction *old)
{
	const struct sigaction faults = { .sa_handler = on_fault };

	no_page = mmap(0, 4096, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*no_page = *action;
	__sigaction(SIGSEGV, &faults, 0);
	mprotect(no_page, 4096, PROT_NONE);
	return __sigaction(SIGTRAP, no_page, old);
}

static void *
hears(void *argument)
{
	await_line();
	heard = 1;
	return argument;
}

static void
wait_within(void)
{
	const volatile unsigned char *text =
		(const volatile unsigned char *)(uintptr_t)sigaction;
	const unsigned char first = *text;

	if (WITHIN == 0) {
		ready();
		return;
	}
	say("ready");
	while (!heard && (WITHIN == 1 || *text == first))
		;
}

static void *
blocks(void *argument)
{
	const uint64_t all = ~UINT64_C(0);

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, sizeof(all));
	f(1);
	f(2);
	return argument;
}

int
main(void)
{
	struct sigaction action = { .sa_handler = on_trap }, old;
	const int hear = WITHIN == 1 || WITHIN == 2;
	pthread_t other;

	within = wait_within;
	if (hear)
		pthread_create(&other, 0, hears, 0);
	if (WITHIN == 3 ? set_by_library(&action, &old)
			: sigaction(SIGTRAP, &action, &old))
		return 1;
	if (hear)
		pthread_join(other, 0);
	pthread_create(&other, 0, blocks, 0);
	pthread_join(other, 0);
	__asm__ volatile("int3");
	raise(SIGTRAP);
	/*
	 * A thread that left sigaction() before xtrace saw it there is told the
	 * kernel's action.
	 */
	say(WITHIN == 2 || old.sa_handler == SIG_DFL ? "told right"
						     : "told wrong");
	return trapped != 2;
}
#endif
