/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * longjmp out of traced calls, and out of a signal handler. See languages.py.
 */
#include "marks.h"
#include <setjmp.h>
#include <signal.h>

static jmp_buf place;
static sigjmp_buf outside;
static long jumped;

NOINLINE int
inner(int x)
{
	OPAQUE(x);
	if (x)
		longjmp(place, 1);
	return x;
}

NOINLINE int
outer(int x)
{
	return inner(x) + 1;
}

static void
handler(int number)
{
	(void)number;
	siglongjmp(outside, 1);
}

int
main(int argc, char **argv)
{
	struct marks marks = marks_of(argc, argv);

	signal(SIGUSR1, handler);
	for (volatile int i = 1; marks_go_on(&marks, i); i++) {
		if (setjmp(place) == 0)
			outer(i);
		else
			jumped++;
		if (i % 16)
			continue;
		if (sigsetjmp(outside, 1) == 0)
			raise(SIGUSR1);
		else
			jumped++;
	}
	printf("%ld jumps\n", jumped);
	return 3;
}
