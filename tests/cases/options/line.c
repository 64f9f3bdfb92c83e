/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The shapes of a line: what -n, -s, -A, -b, -i, --names, --pid and -C do to
 * it. (Times are in names/times.c, columns in align.py.)
 *
 * FILE: p.conf: int outer(int n, const char *what);
 * FILE: p.conf: int inner(array(int, n) *numbers, int n);
 *
 * RUN: xtrace -F p.conf -x outer+inner %t
 * EXPECT:
 *   outer(1, "01234567890123456789012345678901"...) = 1
 *   --- SIGUSR1 (User defined signal 1) ---
 *   outer(2, "short" <unfinished ...>
 *   inner([0, 1, 2, 3, ...], 6) = 6
 *   <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b -x outer+inner %t
 * EXPECT:
 *   outer(1, "01234567890123456789012345678901"...) = 1
 *   outer(2, "short" <unfinished ...>
 *   inner([0, 1, 2, 3, ...], 6) = 6
 *   <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --config p.conf --no-signals --string-length 3 --array-length=2 --trace outer+inner %t
 * EXPECT:
 *   outer(1, "012"...) = 1
 *   outer(2, "sho"... <unfinished ...>
 *   inner([0, 1, ...], 6) = 6
 *   <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b -s 80 -A 100 -x outer+inner %t
 * CONTAINS:
 *   outer(1, "0123456789012345678901234567890123456789") = 1
 *   inner([0, 1, 2, 3, 4, 5], 6) = 6
 *
 * RUN: xtrace -F p.conf -b -n4 --names -x outer+inner %t
 * EXPECT:
 *   outer(n=1, what="01234567890123456789012345678901"...) = 1
 *   outer(n=2, what="short" <unfinished ...>
 *       inner(numbers=[0, 1, 2, 3, ...], n=6) = 6
 *   <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b --indent=2 --instruction-pointer -x outer+inner %t
 * EXPECT:
 *   [%hex] outer(1, %any) = 1
 *   [%{back}] outer(2, "short" <unfinished ...>
 *   [%hex]   inner([0, 1, 2, 3, ...], 6) = 6
 *   [%{back}] <... outer resumed> ) = 2
 *   +++ exited (status 0) +++
 *
 * --durations, the former name of --call-times.
 *
 * RUN: xtrace -F p.conf -b --pid always --durations -x outer %t
 * EXPECT:
 *   %id outer(1, %any) = 1 <%dur>
 *   %id outer(2, "short") = 2 <%dur>
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b --pid always --call-times -x outer %t
 * EXPECT:
 *   %id outer(1, %any) = 1 <%dur>
 *   %id outer(2, "short") = 2 <%dur>
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b --relative --pid=never -f -x outer %t
 * EXPECT:
 *   %any%dur outer(1, %any) = 1
 *   %any%dur outer(2, "short") = 2
 *   %any%dur +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -b --time -x inner %t
 * EXPECT:
 *   %num:%num:%num inner([0, 1, 2, 3, ...], 6) = 6
 *   %num:%num:%num +++ exited (status 0) +++
 */
#include "subject.h"

#include <signal.h>

NOINLINE int
inner(int *numbers, int n)
{
	OPAQUE(numbers);
	return n;
}

NOINLINE int
outer(int n, const char *what)
{
	int numbers[] = { 0, 1, 2, 3, 4, 5 };

	OPAQUE(what);
	if (n == 2)
		inner(numbers, 6);
	return n;
}

static void
nothing(int signal)
{
	(void)signal;
}

int
main(void)
{
	signal(SIGUSR1, nothing);
	outer(1, "0123456789012345678901234567890123456789");
	raise(SIGUSR1);
	outer(2, "short");
	return 0;
}
