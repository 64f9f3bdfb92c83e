/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recursion to a depth where other tracers give up. Every return is matched
 * with its call.
 *
 * FILE: p.conf: int deep(int);
 *
 * RUN: xtrace -F p.conf -x deep %t 3
 * EXPECT:
 *   deep(3 <unfinished ...>
 *   deep(2 <unfinished ...>
 *   deep(1 <unfinished ...>
 *   deep(0) = 0
 *   <... deep resumed> ) = 1
 *   <... deep resumed> ) = 2
 *   <... deep resumed> ) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x deep %t 20000
 * COUNT: 1 deep(0) = 0
 * COUNT: 20000 deep(%num <unfinished ...>
 * COUNT: 20000 <... deep resumed> ) = %num
 * COUNT: 1 <... deep resumed> ) = 20000
 * ABSENT:
 *   %any<unwound>%any
 */
#include "subject.h"
#include <stdlib.h>

NOINLINE int
deep(int x)
{
	int below = x ? deep(x - 1) + 1 : 0;

	OPAQUE(below);
	return below;
}

int
main(int argc, char **argv)
{
	int depth = argc > 1 ? atoi(argv[1]) : 3;

	return deep(depth) != depth;
}
