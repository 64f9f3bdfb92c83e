/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter language, with one program and two libraries. Both libraries have
 * a function `shared`; the loader binds the name to the first one.
 *
 * LIB: libone.so.1 -DONE -s
 * LIB: libtwo.so.2 -DTWO -s
 * LDFLAGS: -l:libone.so.1 -l:libtwo.so.2
 * FILE: p.conf: int one_a(int);
 * FILE: p.conf: int one_b(int);
 * FILE: p.conf: int two_a(int);
 * FILE: p.conf: int two_b(int);
 * FILE: p.conf: int inner(int);
 * FILE: p.conf: int shared(int);
 *
 * RUN: xtrace -F p.conf -x one_a %t
 * EXPECT:
 *   one_a(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x one_a+two_a %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x one_a,two_b %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x one_a -x two_b %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'one_*' %t
 * EXPECT:
 *   one_a(1) = 1
 *   one_b(2) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '???_[ab]-one_b' %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '/^two_[ab]$/' %t
 * EXPECT:
 *   two_a(3) = 3
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '/^\(one\|two\)_a$/' %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '*_?@libtwo.so.2' %t
 * EXPECT:
 *   two_a(3) = 3
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '*_a@lib*.so*' %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '@libone.so.1-shared' %t
 * EXPECT:
 *   one_a(1) = 1
 *   one_b(2) = 2
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '*_?-@libone.so*' %t
 * COUNT: 1 two_a(3%any
 * COUNT: 1 two_b(4%any
 * ABSENT:
 *   one_%any
 *
 * RUN: xtrace -F p.conf -x 'inner@MAIN' %t
 * EXPECT:
 *   inner(5) = 5
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '/^one_a$\|^two_b$/@/two/' %t
 * EXPECT:
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'two_*@%d/libtwo.so.2' %t
 * EXPECT:
 *   two_a(3) = 3
 *   two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '"one_a"' %t
 * EXPECT:
 *   one_a(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -g -x one_a %t
 * EXPECT:
 *   one_a(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -L -x one_a %t
 * EXPECT:
 *   one_a(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -L %t
 * EXPECT:
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf %t
 * CONTAINS:
 *   one_a(1) = 1
 *   one_b(2) = 2
 *   two_a(3) = 3
 *   two_b(4) = 4
 * ABSENT:
 *   inner%any
 *   shared%any
 *
 * RUN: xtrace -F p.conf -e one_a@MAIN+two_a@MAIN %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -e one_a+shared %t
 * EXPECT:
 *   t->one_a(1) = 1
 *   libone.so.1->shared(6) = 6
 *   libtwo.so.2->shared(7) = 7
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -l 'libtwo.so*' %t
 * EXPECT:
 *   t->two_a(3) = 3
 *   t->two_b(4) = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -l 'libone.so*' %t
 * EXPECT:
 *   t->one_a(1) = 1
 *   t->one_b(2 <unfinished ...>
 *   libone.so.1->shared(6) = 6
 *   <... %anyone_b resumed> ) = 2
 *   libtwo.so.2->shared(7) = 7
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -l libtwo.so.2 -x one_b %t
 * CONTAINS:
 *   t->two_a(3) = 3
 *   +++ exited (status 0) +++
 * COUNT: 1 one_b(2) = 2
 *
 * RUN: xtrace -F p.conf -x shared %t
 * EXPECT:
 *   shared@libone.so.1(6) = 6
 *   shared@libone.so.1(7) = 7
 *   shared@libtwo.so.2(8) = 8
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x shared@libtwo.so.2 %t
 * EXPECT:
 *   shared(8) = 8
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x one_a@libone.so.1+two_a@libtwo.so.2 %t
 * EXPECT:
 *   one_a(1) = 1
 *   two_a(3) = 3
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <dlfcn.h>

int shared(int x);
int one_a(int x);
int one_b(int x);
int two_a(int x);
int two_b(int x);

#ifdef ONE
int
shared(int x)
{
	return x;
}

int
one_a(int x)
{
	return x;
}

int
one_b(int x)
{
	shared(6);
	return x;
}
#elif defined(TWO)
int
shared(int x)
{
	return x;
}

int
two_a(int x)
{
	return x;
}

int
two_b(int x)
{
	shared(7);
	return x;
}
#else
static NOINLINE int
inner(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	int (*second)(int);

	one_a(1);
	one_b(2);
	two_a(3);
	two_b(4);
	inner(5);
	second = dlsym(dlopen("libtwo.so.2", RTLD_NOW), "shared");
	return second(8) - 8;
}
#endif
