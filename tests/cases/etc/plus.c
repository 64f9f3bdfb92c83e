/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A "+" in ltrace's language: this argument and those behind it are shown as
 * they are at the function's return, unless their prototype says otherwise.
 *
 * FILE: p.conf: int fill(int*, +int*, int*, in int*);
 *
 * RUN: xtrace -F p.conf -x fill %t
 * EXPECT:
 *   fill(1, 12, 13, 4) = 0
 *   fill(11, 12, 13, 4) = -1
 *   +++ exited (status 0) +++
 */
#include "subject.h"

NOINLINE int
fill(int *a, int *b, int *c, int *d)
{
	int r = *a == 1 ? 0 : -1;

	*a = 11;
	*b = 12;
	*c = 13;
	*d = 14;
	return r;
}

int
main(void)
{
	static int a = 1, b = 2, c = 3;
	static volatile int d = 4;

	fill(&a, &b, &c, (int *)&d);
	d = 4;
	return fill(&a, &b, &c, (int *)&d) + 1;
}
