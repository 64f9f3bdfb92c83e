/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A constructor that calls dlopen: the loader runs within itself.
 *
 * LIB: libinner.so -DINNER
 * LIB: libouter.so -DOUTER
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   g(3) = 3
 *   f(4) = 4
 *   g(5) = 5
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *   xtrace: %anyg%any
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);
int g(int x);

#ifdef INNER
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
#elif defined(OUTER)
static int (*inner)(int);

int
g(int x)
{
	return x;
}

__attribute__((constructor)) static void
begin(void)
{
	inner = dlsym(dlopen("libinner.so", RTLD_NOW), "f");
	inner(2);
	g(3);
}
#else
int
main(void)
{
	void *outer = dlopen("libouter.so", RTLD_NOW);
	void *inner = dlopen("libinner.so", RTLD_NOW | RTLD_NOLOAD);
	int (*by_name)(int) = dlsym(inner, "f");

	by_name(4);
	by_name = dlsym(outer, "g");
	return by_name(5) - 5;
}
#endif
