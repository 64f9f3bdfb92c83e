/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace runs without a standard input, output or error stream.
 *
 * RUN: xtrace -x f -- /bin/sh -c 'exec "$0" <&- >&- 2>&-' %t
 * CONTAINS:
 *   --- Called exec() ---
 *   f(%any
 *   +++ exited (status 5) +++
 * MESSAGES: any
 */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	return f(5);
}
