/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program for gdb to debug. See debuggers.py.
 *
 * CFLAGS: -g
 */
#include "subject.h"
#include <stdlib.h>
#include <sys/wait.h>

int calls;

NOINLINE int
f(int x)
{
	calls++;
	OPAQUE(x);
	return x;
}

int
main(int argc, char **argv)
{
	char line[32];
	int status;

	(void)argv;
	if (argc > 1)
		ready();
	for (int i = 0; i < 100; i++)
		free(malloc((size_t)f(i) + 1));
	if (!fork())
		_exit(f(3));
	wait(&status);
	snprintf(line, sizeof(line), "calls: %d", calls);
	say(line);
	return 0;
}
