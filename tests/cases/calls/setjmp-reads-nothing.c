/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If a program can jump (longjmp), xtrace watches the jumps from the first call
 * on. To plant these traps xtrace reads no prototype files. Otherwise the first
 * call would last until the files of all libraries were read, and a mistake in
 * one of them would be reported.
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
