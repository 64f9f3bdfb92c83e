/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --if with nil and NULL, which compare addresses; with the names that
 * prototypes give to values; and with -1, which is true for every result that
 * is printed as -1.
 *
 * FILE: p.conf: int *number(int);
 * FILE: p.conf: char *text(const char *given);
 * FILE: p.conf: enum(FREE=0, BUSY=5) state(int n);
 * FILE: p.conf: guess(ulong) minus_ulong();
 * FILE: p.conf: guess(size_t) minus_size();
 * FILE: p.conf: guess(short) minus_short();
 * FILE: p.conf: int minus_int();
 * FILE: p.conf: long minus_long();
 * FILE: p.conf: enum(FREE=0) minus_enum();
 * FILE: p.conf: double minus_double();
 * FILE: p.conf: ulong plus_ulong();
 *
 * RUN: xtrace -F p.conf --if 'retval == nil' -x number+text %t
 * EXPECT:
 *   number(0) = nil
 *   text(nil) = nil
 *   +++ exited (status 0) +++
 *
 * What the pointer points to is 0.
 *
 * RUN: xtrace -F p.conf --if 'NULL != retval' -x number+text %t
 * EXPECT:
 *   number(1) = 0
 *   text("given") = "given"
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if '!(given == nil) || arg1 == 1' -x number+text %t
 * EXPECT:
 *   text("given") = "given"
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'retval == BUSY' -x state %t
 * EXPECT:
 *   state(5) = BUSY
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x 'minus_*+plus_*' %t
 * EXPECT:
 *   minus_none(%any) = -1
 *   minus_ulong() = -1
 *   minus_size() = -1
 *   minus_short() = -1
 *   minus_int() = -1
 *   minus_long() = -1
 *   minus_enum() = -1
 *   minus_double() = -1
 *   plus_ulong() = 18446744073709551615
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf --if 'retval == -1' -x 'minus_*+plus_*' %t
 * EXPECT:
 *   minus_none(%any) = -1
 *   minus_ulong() = -1
 *   minus_size() = -1
 *   minus_short() = -1
 *   minus_int() = -1
 *   minus_long() = -1
 *   minus_enum() = -1
 *   minus_double() = -1
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#include <stddef.h>

static int zero;

NOINLINE int *
number(int n)
{
	OPAQUE(n);
	return n ? &zero : NULL;
}

NOINLINE const char *
text(const char *given)
{
	OPAQUE(given);
	return given;
}

NOINLINE int
state(int n)
{
	OPAQUE(n);
	return n;
}

#define MINUS(type, name)       \
	NOINLINE type name(int n) \
	{                         \
		OPAQUE(n);        \
		return (type)-n;  \
	}
MINUS(long, minus_none)
MINUS(unsigned long, minus_ulong)
MINUS(size_t, minus_size)
MINUS(short, minus_short)
MINUS(int, minus_int)
MINUS(long, minus_long)
MINUS(int, minus_enum)
MINUS(double, minus_double)
MINUS(unsigned long, plus_ulong)

int
main(void)
{
	number(0);
	number(1);
	text(NULL);
	text("given");
	state(0);
	state(5);
	minus_none(1);
	minus_ulong(1);
	minus_size(1);
	minus_short(1);
	minus_int(1);
	minus_long(1);
	minus_enum(1);
	minus_double(1);
	plus_ulong(1);
	return 0;
}
