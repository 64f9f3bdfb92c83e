/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of Rust (the old and the new mangling), of D and of C++. -C prints them
 * as in the source, and filters accept that form with and without -C.
 *
 * FILE: p.conf: int _RNvCs1234_7mycrate4main(int);
 * FILE: p.conf: int _ZN5alloc5alloc7dealloc17h0123456789abcdefE(int);
 * FILE: p.conf: int _D6module3fooFiZv(int);
 * FILE: p.conf: int _Z3addii(int, int);
 *
 * RUN: xtrace -C -F p.conf -x '*main@MAIN+alloc::alloc::dealloc+module.foo(int)+add(int, int)-main' %t
 * EXPECT:
 *   mycrate::main(1) = 1
 *   alloc::alloc::dealloc(2) = 2
 *   module.foo(3) = 3
 *   add(4, 5) = 9
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --demangle -F p.conf -x mycrate::main %t
 * EXPECT:
 *   mycrate::main(1) = 1
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x mycrate::main %t
 * EXPECT:
 *   _RNvCs1234_7mycrate4main(1) = 1
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#define NAMED(name) __asm__(name)

NOINLINE int rust(int x) NAMED("_RNvCs1234_7mycrate4main");
NOINLINE int old_rust(int x)
	NAMED("_ZN5alloc5alloc7dealloc17h0123456789abcdefE");
NOINLINE int d(int x) NAMED("_D6module3fooFiZv");
NOINLINE int cxx(int x, int y) NAMED("_Z3addii");

int
rust(int x)
{
	OPAQUE(x);
	return x;
}

int
old_rust(int x)
{
	OPAQUE(x);
	return x;
}

int
d(int x)
{
	OPAQUE(x);
	return x;
}

int
cxx(int x, int y)
{
	OPAQUE(x);
	return x + y;
}

int
main(void)
{
	rust(1);
	old_rust(2);
	d(3);
	return cxx(4, 5) - 9;
}
