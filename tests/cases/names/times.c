/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms of the times of -t, -tt, -ttt, -r, -T and -i.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -t -x f %t
 * EXPECT:
 *   %time f(1) = 1
 *   %time f(2) = 2
 *   %time +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -tt -T -x f %t
 * EXPECT:
 *   %num:%num:%num.%num f(1) = 1 <%dur>
 *   %num:%num:%num.%num f(2) = 2 <%dur>
 *   %time +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -ttTgx f %t
 * CONTAINS:
 *   %time f(1) = 1 <%dur>
 *
 * RUN: xtrace -F p.conf -ttt -x f %t
 * EXPECT:
 *   %epoch f(1) = 1
 *   %epoch f(2) = 2
 *   %epoch +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -r -x f %t
 * EXPECT:
 *   %any%dur f(1) = 1
 *   %any%dur f(2) = 2
 *   %any%dur +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -i -x f %t
 * CONTAINS:
 *   [%hex] f(1) = 1
 *   [%hex] f(2) = 2
 */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	return f(1) + f(2) - 3;
}
