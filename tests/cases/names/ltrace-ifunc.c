/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With ltrace's style, the call of an IFUNC's resolver is shown, without
 * arguments, and then the calls of the function that it has chosen.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int chosen(int);
 * FILE: p.conf: int some(int);
 *
 * RUN: xtrace --style=ltrace -F p.conf -L -x some -- %t
 * STATUS: 0
 * EXPECT:
 *   some.IFUNC@libmod.so() = %any
 *   some@libmod.so(1) = 2
 *   some@libmod.so(2) = 3
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace --style=xtrace -F p.conf -x some -- %t
 * STATUS: 3
 * EXPECT:
 *   some(1) = 2
 *   some(2) = 3
 *   +++ exited (status 3) +++
 */
#include "subject.h"

int some(int x);

#ifdef MOD
static NOINLINE int
chosen(int x)
{
	return x + 1;
}

typedef int chosen_function(int);

static chosen_function *
choose(void)
{
	return chosen;
}

int some(int x) __attribute__((ifunc("choose")));
#else
int
main(void)
{
	return some(some(1));
}
#endif
