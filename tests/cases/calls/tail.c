/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tail calls: one return ends several calls, and each gets the value that was
 * returned. If a function jumps to itself, this is not a new call.
 *
 * CFLAGS: -O2
 * FILE: p.conf: int first(int);
 * FILE: p.conf: int second(int);
 * FILE: p.conf: int third(int);
 *
 * RUN: xtrace -F p.conf -x first+second+third %t
 * EXPECT:
 *   first(1 <unfinished ...>
 *   second(2 <unfinished ...>
 *   third(4) = 5
 *   <... second resumed> ) = 5
 *   <... first resumed> ) = 5
 *   second(3 <unfinished ...>
 *   third(6) = 7
 *   <... second resumed> ) = 7
 *   +++ exited (status 12) +++
 *
 * RUN: xtrace -F p.conf -x first+third %t
 * EXPECT:
 *   first(1 <unfinished ...>
 *   third(4) = 5
 *   <... first resumed> ) = 5
 *   third(6) = 7
 *   +++ exited (status 12) +++
 */
#include "subject.h"

NOINLINE int
third(int x)
{
	x++;
	OPAQUE(x);
	return x;
}

NOINLINE int
second(int x)
{
	return third(x * 2);
}

NOINLINE int
first(int x)
{
	return second(x + 1);
}

int
main(void)
{
	int x = 1;

	OPAQUE(x);
	x = first(x);
	return x + second(3);
}
