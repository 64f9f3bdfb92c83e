/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without an interpreter has no frames of scripts, which is said
 * once. The calls that a call is within can be had all the same.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int outer(int); int inner(int);
 *
 * RUN: xtrace -F p.conf -w 3 -x outer -x inner %t
 * EXPECT:
 *   outer(1 <unfinished ...>
 *   inner(2) = 3
 *   <... outer resumed> ) = 4
 *   outer(3 <unfinished ...>
 *   inner(4) = 5
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: process %num: no interpreter of scripts is in it, so -w shows nothing of it (native frames are not there yet)
 *
 * RUN: xtrace -F p.conf -w 3 --stack calls -x outer -x inner %t
 * EXPECT:
 *   outer(1 <unfinished ...>
 *   inner(2) = 3
 *       outer@libmod.so
 *   <... outer resumed> ) = 4
 *   outer(3 <unfinished ...>
 *   inner(4) = 5
 *       outer@libmod.so
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 */
#include <subject.h>

#ifdef MOD

EXPORT int
inner(int n)
{
	return n + 1;
}

EXPORT int
outer(int n)
{
	return inner(n + 1) + 1;
}

#else

int outer(int n);

int
main(void)
{
	return outer(1) != 4 || outer(3) != 6;
}

#endif
