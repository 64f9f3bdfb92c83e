/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Started under the name ltrace: names have ltrace's form, -x keeps the calls
 * of the main program, and the exit status is 0.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 *
 * RUN: ltrace -F p.conf -x g %t
 * STATUS: 0
 * CONTAINS:
 *   f(1 <unfinished ...>
 *   g@libmod.so(10) = 10
 *   <... f resumed> ) = 10
 *   +++ exited (status 7) +++
 *
 * RUN: ltrace -F p.conf -L -x f+own %t
 * STATUS: 0
 * CONTAINS:
 *   f@libmod.so(1) = 10
 *   own(7%any) = 7
 *   +++ exited (status 7) +++
 *
 * Frames have ltrace's form, and an empty line behind them.
 *
 * RUN: ltrace -F p.conf -L -w 1 -x g+f %t
 * STATUS: 0
 * EXPECT:
 *   f@libmod.so(1 <unfinished ...>
 *    > DIR/t(main+0x%any) [%any]
 *   %any
 *   g@libmod.so(10) = 10
 *    > DIR/libmod.so(inner+0x%any) [%any]
 *   %any
 *   <... f resumed> ) = 10
 *   +++ exited (status 7) +++
 *
 * Messages begin with this name, in either style.
 *
 * RUN: ltrace --style=xtrace -L -x nosuch@MAIN %t
 * STATUS: 7
 * SAYS:
 *   ltrace: nosuch@MAIN: the program has no such function
 *   ltrace: nosuch@MAIN: there never was such a function
 *
 * RUN: ltrace --nosuch %t
 * STATUS: 2
 * SAYS:
 *   ltrace: unknown option '--nosuch'%any
 *
 * RUN: ltrace -F p.conf -e f %t
 * STATUS: 0
 * EXPECT:
 *   t->f(1) = 10
 *   +++ exited (status 7) +++
 */
#include "subject.h"

int f(int x);
int g(int x);

#ifdef MOD
static NOINLINE int
inner(int x)
{
	return g(x);
}

int
f(int x)
{
	return inner(x * 10);
}

int
g(int x)
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
	return own(f(1) - 3);
}
#endif
