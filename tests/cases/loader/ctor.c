/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls made before main: by the preinit array, by the constructor of the first
 * library, and by the program's own constructor. And calls made after main.
 *
 * LIB: libdeep.so -DDEEP
 * LIB: libfirst.so -DFIRST -ldeep
 * LDFLAGS: -lfirst -ldeep
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * EXPECT:
 *   f(0) = 0
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   f(5) = 5
 *   f(6) = 6
 *   f(7) = 7
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <stdlib.h>

int f(int x);

#ifdef DEEP
int
f(int x)
{
	return x;
}

__attribute__((constructor)) static void
begin(void)
{
	f(1);
}
#elif defined(FIRST)
__attribute__((constructor)) static void
begin(void)
{
	f(2);
}

__attribute__((destructor)) static void
end(void)
{
	f(7);
}
#else
static void
before_all(void)
{
	f(0);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(
	void) = before_all;

__attribute__((constructor)) static void
begin(void)
{
	f(3);
}

__attribute__((destructor)) static void
end(void)
{
	f(6);
}

static void
at_exit(void)
{
	f(5);
}

int
main(void)
{
	atexit(at_exit);
	return f(4) - 4;
}
#endif
