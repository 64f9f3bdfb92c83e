/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs of all kinds, traced by their own symbols: at a fixed address,
 * relocatable, static, static and relocatable, with glibc and with musl.
 *
 * VARIANT: pie -fPIE -pie
 * VARIANT: nopie -no-pie
 * VARIANT: static -static
 * VARIANT: static-pie -static-pie -fPIE
 * VARIANT: musl CC=musl-gcc
 * VARIANT: musl-static CC=musl-gcc -static
 * VARIANT: clang CC=clang -fuse-ld=lld
 * VARIANT: mold -fuse-ld=mold
 * FILE: p.conf: int own(int);
 * FILE: p.conf: int hidden(int);
 *
 * RUN: xtrace -F p.conf -x own+hidden %t
 * EXPECT:
 *   own(1) = 2
 *   hidden(2) = 4
 *   own(3) = 4
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -F p.conf -x own@MAIN -p %p
 * ATTACH:
 * EXPECT:
 *   %id own(1) = 2
 *   %id own(3) = 4
 *   %id +++ exited (status 3) +++
 */
#include "subject.h"

NOINLINE int
own(int x)
{
	x++;
	OPAQUE(x);
	return x;
}

static NOINLINE int
hidden(int x)
{
	x *= 2;
	OPAQUE(x);
	return x;
}

int
main(void)
{
	int x = 1;

	ready();
	OPAQUE(x);
	x = own(x);
	x = hidden(x);
	return own(x - 1) - 1;
}
