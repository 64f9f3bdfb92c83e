/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The characters + - , and @ in names of libraries, and versions in names of
 * symbols.
 *
 * BEFORE: printf 'V1 { f; }; V2 { f; };' >versions
 * LIB: libodd-1+2.so.6 -DODD -Wl,--version-script=versions
 * LIB: libplain.so -DPLAIN
 * LDFLAGS: -l:libodd-1+2.so.6 -l:libplain.so
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -x g@libodd-1+2.so.6 %t
 * EXPECT:
 *   g(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x g@libodd-1+2.so.6+g@libplain.so %t
 * EXPECT:
 *   g@libodd-1+2.so.6(3) = 3
 *   g@libplain.so(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'g@libodd-*+2.so.6' %t
 * EXPECT:
 *   g(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'g@libodd\-1\+2.so.6' %t
 * EXPECT:
 *   g(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'g@"libodd-1+2.so.6"' %t
 * EXPECT:
 *   g(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'f@@V1' %t
 * EXPECT:
 *   f(1) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'f@@V2' %t
 * EXPECT:
 *   f(2) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f %t
 * EXPECT:
 *   f(1) = 2
 *   f(2) = 4
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#define _GNU_SOURCE
#include <dlfcn.h>

int g(int x);

#ifdef ODD
int
g(int x)
{
	return x;
}

__attribute__((symver("f@V1"))) int
old_f(int x)
{
	return x + 1;
}

__attribute__((symver("f@@V2"))) int
new_f(int x)
{
	return x * 2;
}
#elif defined(PLAIN)
int
g(int x)
{
	return x;
}
#else
void *dlvsym(void *, const char *, const char *);

int
main(void)
{
	void *module = dlopen("libodd-1+2.so.6", RTLD_NOW);
	int (*f)(int) = dlvsym(module, "f", "V1");

	f(1);
	f = dlsym(module, "f");
	f(2);
	g(3);
	f = dlsym(dlopen("libplain.so", RTLD_NOW), "g");
	return f(4) - 4;
}
#endif
