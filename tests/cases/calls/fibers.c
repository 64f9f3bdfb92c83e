/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several stacks in one thread. Each fiber is within a traced call while the
 * other fiber runs, so the returns come in another order than the entries. The
 * line of a call is at the place where the call began, and is split only if
 * another line was written meanwhile.
 *
 * FILE: p.conf: int turn(int);
 * FILE: p.conf: void body(int);
 *
 * RUN: xtrace -F p.conf -x turn+body %t
 * EXPECT:
 *   body(1 <unfinished ...>
 *   turn(10) = 10
 *   body(2 <unfinished ...>
 *   turn(20) = 20
 *   turn(11) = 11
 *   turn(21) = 21
 *   turn(12) = 12
 *   turn(22 <unfinished ...>
 *   <... body resumed> ) = <void>
 *   <... turn resumed> ) = 22
 *   <... body resumed> ) = <void>
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <sys/mman.h>
#include <ucontext.h>

static ucontext_t home, fiber[2];
static int now, done;

NOINLINE int
turn(int x)
{
	int from = now;

	now = !now;
	swapcontext(&fiber[from], &fiber[now]);
	OPAQUE(x);
	return x;
}

NOINLINE void
body(int which)
{
	for (int i = 0; i < 3; i++)
		turn(which * 10 + i);
	done++;
	now = 1;
}

int
main(void)
{
	char *stacks = mmap(0, 131072, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < 2; i++) {
		getcontext(&fiber[i]);
		fiber[i].uc_stack.ss_sp = stacks + i * 65536;
		fiber[i].uc_stack.ss_size = 65536;
		fiber[i].uc_link = i ? &home : &fiber[1];
		makecontext(&fiber[i], (void (*)(void))body, 1, i + 1);
	}
	swapcontext(&home, &fiber[0]);
	return done - 2;
}
