/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An IFUNC in a library opened with dlopen. When the loader reports the library
 * (up to glibc 2.40), nothing in it is relocated yet, and the library's first
 * constructor calls the IFUNC.
 *
 * LIB: libdep.so -DDEP
 * LIB: libmod.so -DMOD -ldep -Wl,-z,lazy
 * LIB: libnow.so -DMOD -ldep -Wl,-z,now
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t libmod.so
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -x f %t libnow.so
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -e f %t libmod.so
 * EXPECT:
 *   libmod.so->f(2) = 102
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: -e f: not called yet; waiting for a library that calls it
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);

#ifdef DEP
static NOINLINE int
chosen(int x)
{
	return x + 100;
}

static void *
choose(void)
{
	return (void *)chosen;
}

int f(int x) __attribute__((ifunc("choose")));

__attribute__((constructor)) static void
begin(void)
{
	int (*volatile by_pointer)(int) = f;

	by_pointer(1);
}
#elif defined(MOD)
__attribute__((constructor)) static void
begin(void)
{
	f(2);
}
#else
int
main(int argc, char **argv)
{
	void *module = dlopen(argv[argc - 1], RTLD_NOW);
	int (*by_name)(int) = module ? dlsym(module, "f") : 0;

	return by_name ? by_name(3) - 103 : 1;
}
#endif
