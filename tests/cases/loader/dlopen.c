/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library opened with dlopen, its dependency, and the constructors of both.
 *
 * LIB: libdep.so -DDEP
 * LIB: libmod.so -DMOD -ldep
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * EXPECT:
 *   f(1) = 1
 *   g(2) = 20
 *   f(3) = 3
 *   g(4) = 40
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *   xtrace: %anyg%any
 *
 * RUN: xtrace -F p.conf -x f@libdep.so %t
 * EXPECT:
 *   f(1) = 1
 *   f(3) = 3
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -e f@libmod.so %t
 * EXPECT:
 *   libmod.so->f(3) = 3
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -e f@libmod.so: not called yet; waiting for a library that calls it
 *
 * RUN: xtrace -F p.conf -l libdep.so %t
 * EXPECT:
 *   libdep.so->f(1) = 1
 *   libmod.so->f(3) = 3
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -l libdep.so: not loaded yet; waiting for this library
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

__attribute__((constructor)) static void
begin(void)
{
	f(1);
}
#elif defined(MOD)
int
g(int x)
{
	return x * 10;
}

__attribute__((constructor)) static void
begin(void)
{
	static int (*volatile by_pointer)(int) = g;

	by_pointer(2);
	f(3);
}
#else
int
main(void)
{
	void *module = dlopen("libmod.so", RTLD_NOW);
	int (*found)(int) = module ? dlsym(module, "g") : 0;

	return found ? found(4) - 40 : 1;
}
#endif
