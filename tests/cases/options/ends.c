/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --limit and --duration end the trace, not the program: xtrace waits for a
 * command that it started, untraced, and has its exit status.
 *
 * FILE: p.conf: int f(int n);
 *
 * RUN: xtrace -F p.conf --limit 2 -x f %t
 * STATUS: 7
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *
 * RUN: xtrace -F p.conf --duration 30ms -x f -- %t slow
 * STATUS: 7
 * CONTAINS:
 *   f(1) = 1
 *
 * RUN: xtrace -F p.conf --limit 1000 --duration 1h -x f %t
 * STATUS: 7
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   +++ exited (status 7) +++
 */
#include "subject.h"

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

int
main(int argc, char **argv)
{
	(void)argv;
	f(1);
	/* Longer than the trace, and its end is not seen. */
	if (argc > 1)
		usleep(400000);
	f(2);
	f(3);
	f(4);
	return 7;
}
