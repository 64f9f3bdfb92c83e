/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several names of one address give one site and one line, under the best name:
 * global, of the default version, without a leading underscore. A name of size
 * 0 counts as much as one with a size.
 *
 * BEFORE: printf 'V1 { global: *; }; V2 { best; } V1;' >versions
 * LIB: libmod.so -DMOD -Wl,--version-script=versions
 * LDFLAGS: -lmod
 * FILE: p.conf: int best(int);
 * FILE: p.conf: int sizeless(int);
 * FILE: p.conf: int __hidden_best(int);
 *
 * RUN: xtrace -F p.conf -x 'best+_best+__best+static_best' %t
 * EXPECT:
 *   best(1) = 1
 *   best(2) = 2
 *   best(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '*best@libmod.so' %t
 * EXPECT:
 *   best(1) = 1
 *   best(2) = 2
 *   best(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x sizeless %t
 * EXPECT:
 *   sizeless(4) = 4
 *   +++ exited (status 0) +++
 */
#include "subject.h"

int best(int x);
int _best(int x);
int __best(int x);
int sizeless(int x);

#ifdef MOD
static __attribute__((used)) int
static_best(int x)
{
	return x;
}

int best(int x) __attribute__((alias("static_best")));
int _best(int x) __attribute__((alias("static_best")));
int __best(int x) __attribute__((alias("static_best")));

__asm__(".text\n.globl sizeless\n.type sizeless, @function\n"
	"sizeless: mov %edi, %eax\nret\n.size sizeless, 0\n");
#else
int
main(void)
{
	best(1);
	_best(2);
	__best(3);
	return sizeless(4) - 4;
}
#endif
