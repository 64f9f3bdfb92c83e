/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --inject: a function that is not run and has another result and errno; a
 * system call that is not made; which of the calls are changed.
 *
 * FILE: p.conf: errno(int) f(int);
 * FILE: p.conf: double half(double);
 * FILE: p.conf: void show(int result, int error, int runs);
 *
 * RUN: xtrace -F p.conf -x show --inject f:retval=-1:error=EIO:when=2 %t
 * UNTRACED: no
 * EXPECT:
 *   --- calls are changed: f:retval=-1:error=EIO:when=2 ---
 *   f(1) = 2
 *   show(2, 0, 1) = <void>
 *   f(2) = -1 EIO (Input/output error) (INJECTED)
 *   show(-1, 5, 1) = <void>
 *   f(3) = 6
 *   show(6, 0, 2) = <void>
 *   f(4) = 8
 *   show(8, 0, 3) = <void>
 *   show(%num, 0, 0) = <void>
 *   show(-1, 9, 0) = <void>
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x show --inject f:retval=0x7fffffff:when=2..4+2 %t
 * UNTRACED: no
 * EXPECT:
 *   --- calls are changed: f:retval=0x7fffffff:when=2..4+2 ---
 *   f(1) = 2
 *   show(2, 0, 1) = <void>
 *   f(2) = 2147483647 (INJECTED)
 *   show(2147483647, 0, 1) = <void>
 *   f(3) = 6
 *   show(6, 0, 2) = <void>
 *   f(4) = 2147483647 (INJECTED)
 *   show(2147483647, 0, 2) = <void>
 *   show(%num, 0, 0) = <void>
 *   show(-1, 9, 0) = <void>
 *   +++ exited (status 0) +++
 *
 * Two changes of one function; a pattern; a function of the PLT; -c does not
 * count inside the program.
 *
 * RUN: xtrace -F p.conf -x show --inject f:retval=7:when=3+ --inject f:retval=5:when=1 %t
 * UNTRACED: no
 * CONTAINS:
 *   --- calls are changed: f:retval=7:when=3+ ---
 *   --- calls are changed: f:retval=5:when=1 ---
 *   show(5, 0, 0) = <void>
 *   show(4, 0, 1) = <void>
 *   show(7, 0, 1) = <void>
 *   show(7, 0, 1) = <void>
 *
 * RUN: xtrace -F p.conf -x '*@MAIN' --inject '[fg]@MAIN:retval=7:when=1' %t
 * UNTRACED: no
 * CONTAINS:
 *   f(1) = 7 (INJECTED)
 *   show(7, 0, 0) = <void>
 *
 * RUN: xtrace -c --inject f:retval=7 -F p.conf %t
 * UNTRACED: no
 * CONTAINS:
 *   %any 4 f
 *
 * RUN: xtrace -F p.conf --json --inject f:retval=-1:error=EIO:when=1 %t
 * UNTRACED: no
 * CONTAINS:
 *   {"event":"inject",%any"change":"f:retval=-1:error=EIO:when=1"}
 *   {"event":"call",%any"name":"f",%any"injected":true%any}
 *
 * System calls.
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -x show --inject dup@SYS:error=EMFILE:when=1 %t
 * UNTRACED: no
 * CONTAINS:
 *   --- calls are changed: dup@SYS:error=EMFILE:when=1 ---
 *   dup@SYS(0) = -1 EMFILE (Too many open files) (INJECTED)
 *   show(-1, 24, 0) = <void>
 *   dup@SYS(-1) = -1 EBADF (Bad file descriptor)
 *   show(-1, 9, 0) = <void>
 *
 * RUN: xtrace --inject '%memory@SYS:delay=1us:when=1' %t
 * CONTAINS:
 *   %any (DELAYED)
 *
 * RUN: xtrace --inject '%nosuch@SYS:delay=1us' %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: '%{nosuch}' is no class of system calls: they are %{file}, %{desc}, %{net}, %{process}, %{memory}, %{signal} and %{ipc}
 *     %{nosuch}
 *     ^
 *
 * RUN: xtrace -F %c/../../../etc:p.conf -x show -Sgetpid --inject 'du[p]@SYS:retval=77:when=1+1' %t
 * UNTRACED: no
 * CONTAINS:
 *   dup@SYS(0) = 77 (INJECTED)
 *   show(77, 0, 0) = <void>
 *   dup@SYS(-1) = 77 (INJECTED)
 *   show(77, 0, 0) = <void>
 *
 * What is not changed: calls after the last one, a result that is no integer,
 * and what xtrace itself depends on.
 *
 * RUN: xtrace -F p.conf -x show --inject f:retval=7:when=5+ --inject half:delay=1us %t
 * CONTAINS:
 *   show(8, 0, 4) = <void>
 *   half(1) = 0.5 (DELAYED)
 *
 * RUN: xtrace -F p.conf --inject half:retval=7 --inject sigaction:retval=-1 %t
 * SAYS:
 *   xtrace: --inject: half is run: its result is neither an integer nor a pointer
 *   xtrace: --inject: sigaction is run: xtrace must see what it does
 *
 * RUN: xtrace -L --inject rt_sigaction@SYS:retval=-1 %t
 * SAYS:
 *   xtrace: --inject: rt_sigaction is made: xtrace must see what it does
 *
 * Mistakes.
 *
 * RUN: xtrace --inject f %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: expected retval=, error= or delay=: what is changed
 *     f
 *      ^
 *
 * RUN: xtrace --inject f:retval=-1:errno=EIO %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: expected retval=, error=, delay= or when=
 *     f:retval=-1:errno=EIO
 *                 ^
 *
 * RUN: xtrace --inject f:error=EIO %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: error= sets errno; say with retval= what the function returns
 *     f:error=EIO
 *       ^
 *
 * RUN: xtrace --inject f:retval=1:when=3..2 %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: the last call is before the first
 *     f:retval=1:when=3..2
 *                        ^
 *
 * RUN: xtrace --inject f:delay=100 %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: expected a time with a unit, such as 250us, 10ms or 2s
 *     f:delay=100
 *             ^
 *
 * RUN: xtrace --inject f:retval=1 --sample %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject and --sample cannot be used together
 *
 * RUN: xtrace --inject f:retval=1 --engine=agent %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject needs --engine=ptrace, with which each call stops
 *
 * RUN: xtrace --inject nosuch@SYS:retval=1 %t
 * STATUS: 2
 * SAYS:
 *   xtrace: --inject: no system call is named 'nosuch'
 *     nosuch
 *     ^
 */
#include "subject.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

NOINLINE int f(int x);
NOINLINE double half(double x);
NOINLINE void show(int result, int error, int runs);

static int runs;

NOINLINE int
f(int x)
{
	runs++;
	return 2 * x;
}

NOINLINE double
half(double x)
{
	return x / 2;
}

NOINLINE void
show(int result, int error, int count)
{
	OPAQUE(result);
	OPAQUE(error);
	OPAQUE(count);
}

int
main(void)
{
	struct sigaction action = { .sa_handler = SIG_IGN };
	int result;

	for (int i = 1; i <= 4; i++) {
		errno = 0;
		result = f(i);
		show(result, errno, runs);
	}
	if (half(1) != 0.5 || sigaction(SIGUSR1, &action, NULL) < 0)
		return 1;
	errno = 0;
	result = dup(0);
	show(result, errno, 0);
	errno = 0;
	result = dup(-1);
	show(result, errno, 0);
	return 0;
}
