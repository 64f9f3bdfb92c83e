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
 * The subject waits for the end of the trace; what it calls then is not seen.
 *
 * RUN: xtrace -F p.conf --duration 300ms -x f -- %t wait
 * STATUS: 7
 * ABSENT:
 *   f(2) = 2
 *   f(3) = 3
 *
 * --dur is short for --duration, not for --durations.
 *
 * RUN: xtrace -F p.conf --limit 1000 --dur 1h -x f %t
 * STATUS: 7
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   +++ exited (status 7) +++
 */
#include "subject.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

static int
is_traced(void)
{
	FILE *status = fopen("/proc/self/status", "r");
	char line[200];
	int tracer = 0;

	while (fgets(line, sizeof(line), status)) {
		if (!strncmp(line, "TracerPid:", 10))
			tracer = atoi(line + 10);
	}
	fclose(status);
	return tracer != 0;
}

int
main(int argc, char **argv)
{
	(void)argv;
	f(1);
	while (argc > 1 && is_traced())
		usleep(1000);
	f(2);
	f(3);
	f(4);
	return 7;
}
