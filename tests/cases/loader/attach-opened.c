/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When xtrace attaches, the library whose calls are selected has been opened
 * with dlopen, together with the library that it calls, and has called it
 * already.
 *
 * LIB: libdep.so -DDEP
 * LIB: libmod.so -DMOD -ldep
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -e f@libmod.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id libmod.so->f(3) = 3
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f*@libmod.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id libmod.so->f(3) = 3
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -l libdep.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id libmod.so->f(3) = 3
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x g@libmod.so -x f@libdep.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id g(3 <unfinished ...>
 *   %id f(3) = 3
 *   %id <... g resumed> ) = 30
 *   %id f(5) = 5
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);
int g(int x);

#ifdef DEP
int
f(int x)
{
	return x;
}
#elif defined(MOD)
int
g(int x)
{
	return f(x) * 10;
}
#else
int
main(void)
{
	void *module = dlopen("libmod.so", RTLD_NOW);
	int (*by_name)(int) = dlsym(module, "g");
	int (*inner)(int) = dlsym(module, "f");
	int right;

	by_name(1);
	ready();
	right = by_name(3) == 30;
	return !(inner(5) == 5 && right);
}
#endif
