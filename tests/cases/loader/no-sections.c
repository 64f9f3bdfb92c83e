/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program and its library have no section headers: PT_DYNAMIC is enough.
 *
 * LIB: libmod.so -DMOD
 * VARIANT: lazy -rdynamic -Wl,-z,lazy
 * VARIANT: now -rdynamic -Wl,-z,now
 * VARIANT: nopie -rdynamic -no-pie
 * VARIANT: ibt -rdynamic -fcf-protection=full -Wl,-z,ibtplt,-z,now
 * VARIANT: lld -rdynamic -fuse-ld=lld
 * VARIANT: mold -rdynamic -fuse-ld=mold
 * VARIANT: gold -rdynamic -fuse-ld=gold
 * LDFLAGS: -lmod
 * POST: $LIB/strip-sections t libmod.so
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int own(int);
 *
 * RUN: xtrace -F p.conf -x f+own %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   own(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f@MAIN %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f+own -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 1
 *   %id f(2) = 2
 *   %id own(3) = 3
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"

int f(int x);

#ifdef MOD
int
f(int x)
{
	return x;
}
#else
NOINLINE int
own(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	ready();
	f(1);
	f(2);
	return own(3) - 3;
}
#endif
