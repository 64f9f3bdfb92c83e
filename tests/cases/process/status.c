/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace's exit status is that of the program that it started, or 128 + the
 * number of the signal that killed it, as in a shell. If xtrace was attached,
 * its status is 0.
 *
 * RUN: xtrace -x f %t 0
 * STATUS: 0
 * CONTAINS:
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x f %t 42
 * STATUS: 42
 * CONTAINS:
 *   +++ exited (status 42) +++
 *
 * RUN: xtrace -x f %t 255
 * STATUS: 255
 *
 * RUN: xtrace -x f %t -11
 * STATUS: 139
 * CONTAINS:
 *   +++ killed by SIGSEGV +++
 *
 * RUN: xtrace -x f %t -9
 * STATUS: 137
 * CONTAINS:
 *   +++ killed by SIGKILL +++
 *
 * RUN: xtrace -x f %t -15
 * STATUS: 143
 * CONTAINS:
 *   --- SIGTERM (Terminated) ---
 *   +++ killed by SIGTERM +++
 *
 * RUN: xtrace -x f -p %p
 * ATTACH:
 * STATUS: 0
 * CONTAINS:
 *   %id +++ exited (status 1) +++
 */
#include "subject.h"
#include <signal.h>
#include <stdlib.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(int argc, char **argv)
{
	int how = argc > 1 ? atoi(argv[1]) : 1;

	if (argc < 2)
		ready();
	if (how < 0)
		raise(-how);
	return f(how);
}
