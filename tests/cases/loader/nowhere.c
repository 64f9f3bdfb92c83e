/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If no library has a selected symbol yet, xtrace says so once, and traces the
 * function when a library with it is loaded. A symbol that never appears
 * changes nothing.
 *
 * LIB: liblater.so -DLATER
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int later(int);
 *
 * RUN: xtrace -F p.conf -x later+never_there %t
 * EXPECT:
 *   later(1) = 1
 *   later(2) = 2
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anylater%any
 *   xtrace: %anynever_there: not loaded yet%any
 *   xtrace: never_there: no module ever had it
 *
 * RUN: xtrace -F p.conf -x 'lat?r' %t
 * EXPECT:
 *   later(1) = 1
 *   later(2) = 2
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: lat?r: not loaded yet; waiting for a library that defines it
 */
#include "subject.h"
#include <dlfcn.h>

#ifdef LATER
int
later(int x)
{
	return x;
}
#else
int
main(void)
{
	void *module = dlopen("liblater.so", RTLD_NOW);
	int (*later)(int) = dlsym(module, "later");

	later(1);
	return later(2) - 2;
}
#endif
