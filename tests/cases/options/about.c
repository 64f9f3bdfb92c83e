/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What xtrace says of the tracing itself: --stats, -D; and ltrace's -D77.
 *
 * RUN: xtrace --stats -x f %t
 * SAYS:
 *   xtrace: stops:%any
 *   xtrace: system calls: %num waits, %any
 *   xtrace: calls traced: 2; sites planted: 1, refused: 0; %any
 *   xtrace: held at attach: 0.000 ms in all, 0.000 ms at most at a time
 * COUNT: 2 f(%any) = %num
 *
 * RUN: xtrace -D process,symbols -x f %t
 * MESSAGES: any
 * OUTPUT: varies
 * COUNT: 2 f(%any) = %num
 *
 * RUN: xtrace --debug=all -x f %t
 * MESSAGES: any
 * OUTPUT: varies
 * COUNT: 2 f(%any) = %num
 *
 * RUN: xtrace -D77 -x f %t
 * MESSAGES: any
 * OUTPUT: varies
 * COUNT: 2 f(%any) = %num
 */
#include "subject.h"

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

int
main(void)
{
	return f(1) + f(2) - 3;
}
