/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stubs of every linker, with lazy and immediate binding. f is called only
 * through its slot; the address of kept() is also taken (with ld.bfd this makes
 * a .plt.got). Every call is shown exactly once.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * VARIANT: bfd-lazy -Wl,-z,lazy
 * VARIANT: bfd-now -Wl,-z,relro,-z,now
 * VARIANT: bfd-ibt-lazy -fcf-protection=full -Wl,-z,ibtplt,-z,lazy
 * VARIANT: bfd-ibt-now -fcf-protection=full -Wl,-z,ibtplt,-z,now
 * VARIANT: gold-lazy -fuse-ld=gold -Wl,-z,lazy
 * VARIANT: gold-now -fuse-ld=gold -Wl,-z,now
 * VARIANT: lld-lazy -fuse-ld=lld -Wl,-z,lazy
 * VARIANT: lld-now -fuse-ld=lld -Wl,-z,now
 * VARIANT: lld-ibt -fuse-ld=lld -fcf-protection=full -Wl,-z,force-ibt
 * VARIANT: mold-lazy -fuse-ld=mold -Wl,-z,lazy
 * VARIANT: mold-now -fuse-ld=mold -Wl,-z,now
 * VARIANT: clang CC=clang
 * VARIANT: packed -Wl,-z,now,-z,pack-relative-relocs
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int kept(int);
 *
 * RUN: xtrace -F p.conf -e f@MAIN+kept@MAIN %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   kept(3) = 3
 *   kept(4) = 4
 *   f(5) = 5
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf %t
 * COUNT: 3 f(%num) = %num
 * COUNT: 2 kept(%num) = %num
 *
 * RUN: xtrace -F p.conf -x f+kept %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   kept(3) = 3
 *   kept(4) = 4
 *   f(5) = 5
 *   kept(6) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e f@MAIN+kept@MAIN -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 1
 *   %id f(2) = 2
 *   %id kept(3) = 3
 *   %id kept(4) = 4
 *   %id f(5) = 5
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"

int f(int x);
int kept(int x);

#ifdef MOD
int
f(int x)
{
	return x;
}

int
kept(int x)
{
	return x;
}
#else
int
main(void)
{
	int (*pointer)(int) = kept;

	ready();
	OPAQUE(pointer);
	f(1);
	f(2);
	kept(3);
	kept(4);
	f(5);
	return pointer(6) - 6;
}
#endif
