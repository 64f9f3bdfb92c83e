/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without an interpreter has native frames, the caller's first,
 * whether the trap is at the function or at the PLT stub. If a script's stack
 * is requested, one message says that there is none. The traced calls around a
 * call can be shown, too.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int outer(int); int inner(int);
 *
 * RUN: xtrace -F p.conf -w 2 -x outer -x inner %t
 * CONTAINS:
 *   outer(1 <unfinished ...>
 *       main+%hex@t
 *   inner(2) = 3
 *       outer+%hex@libmod.so
 *       main+%hex@t
 *   <... outer resumed> ) = 4
 *   outer(3 <unfinished ...>
 *       main+%hex@t
 *   inner(4) = 5
 *       outer+%hex@libmod.so
 *       main+%hex@t
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --where=1 --stack native -e inner@libmod.so -e outer@MAIN %t
 * EXPECT:
 *   outer(1 <unfinished ...>
 *       main+%hex@t
 *   libmod.so->inner(2) = 3
 *       outer+%hex@libmod.so
 *   <... outer resumed> ) = 4
 *   outer(3 <unfinished ...>
 *       main+%hex@t
 *   libmod.so->inner(4) = 5
 *       outer+%hex@libmod.so
 *   <... outer resumed> ) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -w 1 --stack merged -x inner %t
 * EXPECT:
 *   inner(2) = 3
 *       outer+%hex@libmod.so
 *   inner(4) = 5
 *       outer+%hex@libmod.so
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -w 3 --stack script -x inner %t
 * EXPECT:
 *   inner(2) = 3
 *   inner(4) = 5
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: process %num: it contains no interpreter of scripts, so --stack=script shows no frames of it
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
