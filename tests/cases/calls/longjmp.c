/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * longjmp and siglongjmp out of traced functions. The calls that were left are
 * shown as unwound, once each, and later calls have the right depth.
 *
 * FILE: p.conf: void thrower(int);
 * FILE: p.conf: void middle(int);
 * FILE: p.conf: int fine(int);
 *
 * RUN: xtrace -F p.conf -n 2 -x thrower+middle+fine %t 2
 * EXPECT:
 *   middle(1 <unfinished ...>
 *     thrower(1) = <unwound>
 *   <... middle resumed> ) = <unwound>
 *   fine(1) = 1
 *   middle(2 <unfinished ...>
 *     thrower(2) = <unwound>
 *   <... middle resumed> ) = <unwound>
 *   fine(2) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x thrower+middle+fine %t 5000
 * COUNT: 5000 fine(%num) = %num
 * COUNT: 5000 middle(%num <unfinished ...>
 * COUNT: 5000 <... middle resumed> ) = <unwound>
 */
#include "subject.h"
#include <setjmp.h>
#include <stdlib.h>

static sigjmp_buf place;

NOINLINE void
thrower(int x)
{
	if (x & 1)
		longjmp(place, x);
	siglongjmp(place, x);
}

NOINLINE void
middle(int x)
{
	thrower(x);
	OPAQUE(x);
}

NOINLINE int
fine(int x)
{
	OPAQUE(x);
	return x;
}

int
main(int argc, char **argv)
{
	volatile int rounds = argc > 1 ? atoi(argv[1]) : 2;

	for (volatile int i = 1; i <= rounds; i++) {
		if (!sigsetjmp(place, i & 1))
			middle(i);
		fine(i);
	}
	return 0;
}
