/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nested calls: "<unfinished ...>" is printed only if another line was printed
 * during the call.
 *
 * FILE: p.conf: int outer(int);
 * FILE: p.conf: int middle(int, int);
 * FILE: p.conf: int inner(int);
 *
 * RUN: xtrace -F p.conf -x outer+middle+inner %t
 * EXPECT:
 *   inner(1) = 1
 *   outer(2 <unfinished ...>
 *   middle(2, 0 <unfinished ...>
 *   inner(2) = 2
 *   inner(3) = 3
 *   <... middle resumed> ) = 5
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x outer+middle %t
 * EXPECT:
 *   outer(2 <unfinished ...>
 *   middle(2, 0) = 5
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -n 2 -x outer+middle+inner %t
 * EXPECT:
 *   inner(1) = 1
 *   outer(2 <unfinished ...>
 *     middle(2, 0 <unfinished ...>
 *       inner(2) = 2
 *       inner(3) = 3
 *     <... middle resumed> ) = 5
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 */
#include "subject.h"

NOINLINE int
inner(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
middle(int x, int y)
{
	y = inner(x + y);
	return inner(x + 1) + y;
}

NOINLINE int
outer(int x)
{
	return middle(x, 0) + 1;
}

int
main(void)
{
	inner(1);
	return outer(2) - 6;
}
