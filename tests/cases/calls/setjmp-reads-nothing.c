/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that can jump has its jumps watched from its first call on. That
 * asks for no prototypes: were the files of all libraries read for it, that
 * call would last until they are, and a mistake in one be said.
 *
 * CFLAGS: -O0
 * FILE: libother.so.conf: int broken(;
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -F %d -x f %t
 * EXPECT:
 *   f(1) = 2
 *   +++ exited (status 0) +++
 */
#include <setjmp.h>

static jmp_buf place;

int
f(int x)
{
	return x + 1;
}

int
main(void)
{
	int result = f(1);

	if (result == 0)
		longjmp(place, 1);
	return setjmp(place);
}
