/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --histogram: durations, and values of an expression, by powers of two. Each
 * line has 80 columns.
 *
 * FILE: p.conf: int f(int number, string text);
 * FILE: p.conf: int g(int number);
 *
 * RUN: xtrace -F p.conf --histogram f:number %t
 * CONTAINS:
 *   f: number of 8 calls
 *   (..., 0)                1 |@@@@@@@@@@                                          |
 *   [0]                     0 |                                                    |
 *   [1]                     1 |@@@@@@@@@@                                          |
 *   [2, 4)                  5 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *   [4, 8)                  0 |                                                    |
 *   [8, 16)                 0 |                                                    |
 *   [16, 32)                0 |                                                    |
 *   [32, 64)                0 |                                                    |
 *   [64, 128)               0 |                                                    |
 *   [128, 256)              0 |                                                    |
 *   [256, 512)              0 |                                                    |
 *   [512, 1K)               0 |                                                    |
 *   [1K, 2K)                1 |@@@@@@@@@@                                          |
 *   f: nanoseconds of 8 calls
 *   [%any
 *
 * RUN: xtrace -F p.conf --histogram 'f+g@MAIN:retval*2' --if 'retval > 1024' %t
 * CONTAINS:
 *   f: retval*2 of 1 call
 *   [2K, 4K)                1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *   f: nanoseconds of 1 call
 *   [%any |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *   g: retval*2 of 1 call
 *   [4M, 8M)                1 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *   g: nanoseconds of 1 call
 *   [%any |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@|
 *
 * RUN: xtrace -F %c/../../../etc --histogram 'write@SYS:retval' %t
 * CONTAINS:
 *   write@SYS: retval of 1 call
 *   [2, 4) %any
 *   write@SYS: nanoseconds of 1 call
 *
 * RUN: xtrace --histogram nothing %t
 * MESSAGES: any
 * EXPECT:
 *   no call has ended
 *
 * RUN: xtrace --histogram f:nosuch %t
 * STATUS: 2
 * UNTRACED: no
 * SAYS:
 *   xtrace: --histogram: no function that may be traced has 'nosuch' in its prototype
 *
 * RUN: xtrace --histogram f: %t
 * STATUS: 2
 * UNTRACED: no
 * MESSAGES: any
 *
 * RUN: xtrace --histogram f --histogram g %t
 * STATUS: 2
 * UNTRACED: no
 * SAYS:
 *   xtrace: --histogram is given twice; f+g names several functions
 *
 * RUN: xtrace --histogram f --summary %t
 * STATUS: 2
 * UNTRACED: no
 * SAYS:
 *   xtrace: --histogram and --summary cannot both replace the trace; write one to a file: --summary=FILE
 */
#include "subject.h"

#include <unistd.h>

NOINLINE int f(int number, const char *text);
NOINLINE int g(int number);

NOINLINE int
f(int number, const char *text)
{
	OPAQUE(text);
	return number;
}

NOINLINE int
g(int number)
{
	OPAQUE(number);
	return number * number;
}

int
main(void)
{
	static const int numbers[] = { -5, 1, 2, 3, 2, 3, 3, 1025 };

	for (unsigned i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		f(numbers[i], "text");
	g(1600);
	return write(STDOUT_FILENO, "ok\n", 3) != 3;
}
