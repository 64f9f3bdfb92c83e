/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace attaches while a thread is in the program's SIGTRAP handler, where the
 * kernel blocks SIGTRAP until the handler returns. Then another thread blocks
 * SIGTRAP by a raw system call and makes traced calls, so the action is reset
 * by the kernel and restored. The first thread must not be taken for one that
 * still blocks SIGTRAP: its own int3 would then kill it.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 60 f(%num%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>

#define ROUNDS 20
#define TRAP (UINT64_C(1) << (SIGTRAP - 1))

static volatile sig_atomic_t trapped;

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
	if (trapped++ == 0)
		ready();
}

static uint64_t
blocked(void)
{
	uint64_t mask = 0;

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, sizeof(mask));
	return mask;
}

static void *
blocks(void *argument)
{
	const uint64_t all = ~UINT64_C(0);

	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, sizeof(all));
	f(1);
	f(2);
	return blocked() & TRAP ? 0 : argument;
}

int
main(void)
{
	pthread_t other;
	void *wrong = 0;

	signal(SIGTRAP, on_trap);
	raise(SIGTRAP);
	for (int i = 0; i < ROUNDS && !wrong; i++) {
		pthread_create(&other, 0, blocks, &other);
		pthread_join(other, &wrong);
		f(3);
		if (blocked())
			wrong = &other;
	}
	say(wrong ? "a mask is wrong" : "the masks are right");
	__asm__ volatile("int3");
	raise(SIGTRAP);
	return trapped != 3 || wrong;
}
