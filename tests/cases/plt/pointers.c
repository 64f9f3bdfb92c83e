/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls through function pointers do not go through a module's PLT. -x shows
 * them, -e does not.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * EXPECT:
 *   f(1) = 1
 *   g(2) = 2
 *   f(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f@MAIN+g@MAIN %t
 * EXPECT:
 *   g(2) = 2
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -e f@MAIN: the program does not call it
 *   xtrace: -e f@MAIN: it was never called there
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);
int g(int x);

#ifdef MOD
int
f(int x)
{
	return x;
}

int
g(int x)
{
	return x;
}
#else
static int (*table[])(int) = { f };

int
main(void)
{
	int (*pointer)(int) = table[0];

	OPAQUE(pointer);
	pointer(1);
	g(2);
	pointer = dlsym(RTLD_DEFAULT, "f");
	return pointer(3) - 3;
}
#endif
