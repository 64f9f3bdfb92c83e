/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * musl's loader: libraries that are linked, libraries opened with dlopen, and
 * their constructors.
 *
 * CC: musl-gcc
 * NEEDS: musl-gcc
 * LIB: libmod.so CC=musl-gcc -DMOD
 * LIB: liblate.so CC=musl-gcc -DLATE
 * LDFLAGS: -lmod
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int late(int);
 *
 * RUN: xtrace -F p.conf -x f+late %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   late(3) = 3
 *   late(4) = 4
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anylate%any
 *
 * RUN: xtrace -F p.conf -e f@MAIN %t
 * EXPECT:
 *   f(2) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f+late -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(2) = 2
 *   %id late(3) = 3
 *   %id late(4) = 4
 *   %id +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anylate%any
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);

#ifdef MOD
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
#elif defined(LATE)
int
late(int x)
{
	return x;
}

__attribute__((constructor)) static void
begin(void)
{
	int (*volatile by_pointer)(int) = late;

	by_pointer(3);
}
#else
int
main(void)
{
	int (*late)(int);

	ready();
	f(2);
	late = dlsym(dlopen("liblate.so", RTLD_NOW), "late");
	return late(4) - 4;
}
#endif
