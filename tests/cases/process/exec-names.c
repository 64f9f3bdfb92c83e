/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first program executes the second one. Each has only one function f, so
 * no line says f@FILE. The second program has two functions h. An exec of a
 * child does not change how the calls of its parent are shown.
 *
 * LIB: libh.so -DLIBRARY
 * LDFLAGS: -lh
 * POST: cp t second
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int h(int);
 *
 * RUN: xtrace -F p.conf -x f+h@second+h@libh.so %t
 * EXPECT:
 *   f(1) = 1
 *   --- Called exec() ---
 *   f(2) = 2
 *   h@second(3) = 3
 *   h@libh.so(4) = 4
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: h@second: not loaded yet; waiting for this library
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -x f %t child
 * CONTAINS:
 *   --- Called exec() ---
 *   f(2) = 2
 *   +++ exited (status 0) +++
 *   f(5) = 5
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <sys/wait.h>

static NOINLINE int
h(int x)
{
	OPAQUE(x);
	return x;
}

#ifdef LIBRARY

EXPORT int
h_of_library(int x)
{
	return h(x) & x;
}

#else

int h_of_library(int x);

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static int
second(void)
{
	return f(2) == 2 && h(3) == 3 && h_of_library(4) == 4 ? 0 : 1;
}

static void
become_second(const char *self)
{
	char path[4096];

	/* self ends with "t". The program "second" is in the same folder. */
	snprintf(path, sizeof(path), "%.*ssecond", (int)strlen(self) - 1, self);
	execl(path, path, "second", (char *)0);
	_exit(9);
}

int
main(int argc, char **argv)
{
	int status = 9;

	if (argc > 1 && !strcmp(argv[1], "second"))
		return second();
	if (argc > 1) {
		if (!fork())
			become_second(argv[0]);
		wait(&status);
		return status || f(5) != 5;
	}
	f(1);
	become_second(argv[0]);
}

#endif
