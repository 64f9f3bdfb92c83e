/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module calls an IFUNC of its own through a slot that the relocation
 * IRELATIVE fills. The slot has no name; the IFUNC's name is shown. Such a call
 * does not lead into another library, so -l does not show it.
 *
 * LIB: libmod.so -DMOD
 * VARIANT: pie -pie -fPIE
 * VARIANT: fixed -no-pie -fno-pie
 * VARIANT: now -Wl,-z,now
 * VARIANT: ibt -fcf-protection=full -Wl,-z,ibtplt,-z,now
 * VARIANT: no-plt -fno-plt
 * VARIANT: clang CC=clang
 * LDFLAGS: -lmod
 * NEEDS: clang
 * FILE: p.conf: int f(int); int of_library(int);
 *
 * RUN: xtrace -F p.conf -e f %t
 * EXPECT:
 *   t->f(1) = 101
 *   libmod.so->f(2) = 202
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf %t
 * CONTAINS:
 *   f(1) = 101
 *   of_library(2) = 202
 *   +++ exited (status 0) +++
 * COUNT: 0 f(2%any
 *
 * RUN: xtrace -F p.conf -l libmod.so %t
 * EXPECT:
 *   t->of_library(2) = 202
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#ifdef MOD
#define MORE 200
#else
#define MORE 100
#endif

static NOINLINE int
chosen(int x)
{
	OPAQUE(x);
	return x + MORE;
}

__attribute__((used)) static void *
choose(void)
{
	return (void *)chosen;
}

__attribute__((visibility("hidden"), ifunc("choose"))) int f(int x);

#ifdef MOD

EXPORT NOINLINE int
of_library(int x)
{
	x = f(x);
	OPAQUE(x);
	return x;
}

#else

int of_library(int x);

int
main(void)
{
	return f(1) != 101 || of_library(2) != 202;
}

#endif
