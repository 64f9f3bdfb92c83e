/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The action of SIGTRAP that a program reads is its own, and the trace says so:
 * neither our handler nor the calls that it makes are shown. Also for a program
 * that makes the system call itself.
 *
 * RUN: xtrace -F %c/../../../etc -L -S'rt_siga*+rt_sigr*+tgkill+siga*' %t
 * CONTAINS:
 *   rt_sigaction@SYS(SIGTRAP, nil, {SIG_DFL, 0, 0}, 8) = 0
 *   rt_sigaction@SYS(SIGTRAP, {%{handler}, %any}, {SIG_DFL, 0, 0}, 8) = 0
 *   tgkill@SYS(%num, %num, SIGTRAP) = 0
 *   --- SIGTRAP (Trace/breakpoint trap) ---
 *   rt_sigreturn@SYS() = 0
 *   rt_sigaction@SYS(SIGTRAP, nil, {%{handler}, SA_RESTORER, 0}, 8) = 0
 *   rt_sigaction@SYS(SIGTRAP, nil, {%{handler}, SA_RESTORER, 0}, 8) = 0
 *   +++ exited (status 0) +++
 * COUNT: 1 rt_sigreturn@SYS() = 0
 * ABSENT:
 *   sigaltstack@SYS(%any
 */
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static volatile sig_atomic_t traps;

static void
handler(int number)
{
	traps += number == SIGTRAP;
}

#ifndef MASK
#define MASK unsigned long
#endif

/* The struct that rt_sigaction(2) takes. */
struct action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	MASK mask;
};

int
main(void)
{
	struct sigaction own = { .sa_handler = handler }, old;
	struct action raw;

	sigaction(SIGTRAP, NULL, &old);
	printf("%d\n", old.sa_handler == SIG_DFL);
	sigaction(SIGTRAP, &own, &old);
	printf("%d\n", old.sa_handler == SIG_DFL);
	raise(SIGTRAP);
	sigaction(SIGTRAP, NULL, &old);
	printf("%d\n", old.sa_handler == handler);
	syscall(SYS_rt_sigaction, SIGTRAP, NULL, &raw, sizeof(raw.mask));
	printf("%d %d\n", raw.handler == handler, (int)traps);
	return 0;
}
