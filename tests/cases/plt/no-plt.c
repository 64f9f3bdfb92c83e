/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With -fno-plt there is no stub. gcc calls through the slot, clang loads the
 * slot once before a loop, and the last call of a function is a jump through
 * the slot. A call of the same function by another library is not shown.
 *
 * LIB: libmod.so -DMOD
 * LIB: libother.so -DOTHER -lmod
 * LDFLAGS: -lother -lmod
 * VARIANT: gcc -O2 -fno-plt
 * VARIANT: gcc-nopie -O2 -fno-plt -fno-pie -no-pie
 * VARIANT: gcc-ibt -O2 -fno-plt -fcf-protection=full
 * VARIANT: clang CC=clang -O2 -fno-plt
 * VARIANT: clang-nopie CC=clang -O2 -fno-plt -fno-pie -no-pie
 * VARIANT: gcc-lld -O2 -fno-plt -fuse-ld=lld
 * VARIANT: gcc-mold -O2 -fno-plt -fuse-ld=mold
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: xtrace -F p.conf -e f@MAIN+g@MAIN %t
 * EXPECT:
 *   f(0) = 0
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   g(7) = 7
 *   f(5) = 5
 *   +++ exited (status 5) +++
 *
 * RUN: xtrace -F p.conf %t
 * COUNT: 6 f(%num) = %num
 * COUNT: 1 g(%num) = %num
 *
 * RUN: xtrace -F p.conf -e f -x g %t
 * CONTAINS:
 *   t->f(4) = 4
 *   libother.so->f(70) = 70
 *   t->f(5) = 5
 * COUNT: 1 %anyg(7 <unfinished ...>
 *
 * RUN: xtrace -F p.conf -e f@MAIN -p %p
 * ATTACH:
 * COUNT: 6 %id f(%num) = %num
 */
#include "subject.h"

int f(int x);
int g(int x);

#ifdef MOD
int
f(int x)
{
	return x;
}
#elif defined(OTHER)
int
g(int x)
{
	f(x * 10);
	return x;
}
#else
NOINLINE int
tail(int x)
{
	return f(x + 1);
}

int
main(void)
{
	int sum = 0;

	ready();
	for (int i = 0; i < 5; i++)
		sum += f(i);
	g(sum - 3);
	return tail(sum - 6);
}
#endif
