/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An IFUNC is traced under its own name, at the function that its resolver
 * chooses: with lazy and with immediate binding, linked or opened with dlopen.
 * The resolver is never shown, and neither is the chosen function's name, which
 * only .symtab has, if both are selected.
 *
 * LIB: libmod.so -DMOD
 * VARIANT: lazy -Wl,-z,lazy
 * VARIANT: now -Wl,-z,now
 * VARIANT: ibt -fcf-protection=full -Wl,-z,ibtplt,-z,now
 * LDFLAGS: -lmod
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   f(4) = 104
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x chosen+f %t
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   f(4) = 104
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '/^\(chosen\|f\)$/@libmod.so' %t
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   f(4) = 104
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f@MAIN %t
 * EXPECT:
 *   f(1) = 101
 *   f(2) = 102
 *   f(3) = 103
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 101
 *   %id f(2) = 102
 *   %id f(3) = 103
 *   %id f(4) = 104
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x chosen+f -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 101
 *   %id f(2) = 102
 *   %id f(3) = 103
 *   %id f(4) = 104
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"
#include <dlfcn.h>

int f(int x);

#ifdef MOD
static NOINLINE int
plain(int x)
{
	return x + 1;
}

static NOINLINE int
chosen(int x)
{
	return x + 100;
}

static int number = 1;

static void *
choose(void)
{
	return number ? (void *)chosen : (void *)plain;
}

int f(int x) __attribute__((ifunc("choose")));
#else
int
main(void)
{
	int (*by_name)(int) = dlsym(RTLD_DEFAULT, "f");
	int sum = 0;

	ready();
	for (int i = 1; i <= 3; i++)
		sum += f(i);
	return sum + by_name(4) - 410;
}
#endif
