/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command is ld.so itself: AT_BASE is 0, and the traced program is the
 * first entry of the link map, not /proc/PID/exe.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int inner(int);
 *
 * RUN: xtrace -F p.conf -x f -- /lib64/ld-linux-x86-64.so.2 %t
 * EXPECT:
 *   f(1) = 2
 *   f(2) = 3
 *   f(3) = 4
 *   +++ exited (status 7) +++
 *
 * RUN: xtrace -F p.conf -x inner@MAIN -- /lib64/ld-linux-x86-64.so.2 %t
 * EXPECT:
 *   inner(2) = 3
 *   +++ exited (status 7) +++
 *
 * RUN: xtrace -F p.conf -- /lib64/ld-linux-x86-64.so.2 %t
 * CONTAINS:
 *   f(2) = 3
 *   f(3) = 4
 *   +++ exited (status 7) +++
 * COUNT: 2 f(%any
 *
 * RUN: xtrace -F p.conf -e f@MAIN -- /lib64/ld-linux-x86-64.so.2 %t
 * EXPECT:
 *   f(2) = 3
 *   f(3) = 4
 *   +++ exited (status 7) +++
 */
#include "subject.h"

int f(int x);

#ifdef MOD
int
f(int x)
{
	return x + 1;
}

__attribute__((constructor)) static void
begin(void)
{
	f(1);
}
#else
NOINLINE int
inner(int x)
{
	x = f(x);
	OPAQUE(x);
	return x;
}

int
main(void)
{
	say("main");
	return inner(2) + f(3);
}
#endif
