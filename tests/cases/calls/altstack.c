/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signal handlers that call traced functions during a traced call, on the
 * thread's stack and on an alternate stack above or below it. One handler
 * leaves by siglongjmp.
 *
 * FILE: p.conf: int outer(int);
 * FILE: p.conf: int within(int);
 *
 * RUN: xtrace -b -F p.conf -x outer+within %t
 * EXPECT:
 *   outer(1 <unfinished ...>
 *   within(10) = 10
 *   <... outer resumed> ) = 1
 *   outer(2 <unfinished ...>
 *   within(12) = 12
 *   <... outer resumed> ) = 2
 *   outer(3 <unfinished ...>
 *   within(14) = 14
 *   <... outer resumed> ) = <unwound>
 *   within(20) = 20
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

static sigjmp_buf place;
static volatile int leave;

NOINLINE int
within(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	within(number);
	if (leave)
		siglongjmp(place, 1);
}

NOINLINE int
outer(int x)
{
	raise(x == 1 ? SIGUSR1 : x == 2 ? SIGUSR2 : SIGALRM);
	OPAQUE(x);
	return x;
}

int
main(void)
{
	struct sigaction on_own = { .sa_handler = handler };
	struct sigaction on_other = { .sa_handler = handler,
				      .sa_flags = SA_ONSTACK };
	stack_t other = { .ss_size = 65536 };

	other.ss_sp = mmap(0, other.ss_size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigaltstack(&other, 0);
	sigaction(SIGUSR1, &on_own, 0);
	sigaction(SIGUSR2, &on_other, 0);
	sigaction(SIGALRM, &on_other, 0);
	if (outer(1) != 1 || outer(2) != 2)
		return 1;
	leave = 1;
	if (!sigsetjmp(place, 1))
		outer(3);
	return within(20) - 20;
}
