/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two contexts with their own stacks. Each is left within a traced call, so the
 * calls do not end in the reverse order of their beginnings. See languages.py.
 */
#include "marks.h"
#include <ucontext.h>

static ucontext_t home, sides[2];
static char stacks[2][65536];
static long sum;

NOINLINE int
inner(int side)
{
	OPAQUE(side);
	swapcontext(&sides[side], &home);
	return side;
}

static void
run(int side)
{
	for (;;)
		sum += inner(side) + 1;
}

int
main(int argc, char **argv)
{
	struct marks marks = marks_of(argc, argv);

	for (int i = 0; i < 2; i++) {
		getcontext(&sides[i]);
		sides[i].uc_stack.ss_sp = stacks[i];
		sides[i].uc_stack.ss_size = sizeof(stacks[i]);
		makecontext(&sides[i], (void (*)(void))run, 1, i);
	}
	for (int i = 1; marks_go_on(&marks, i); i++) {
		swapcontext(&home, &sides[0]);
		swapcontext(&home, &sides[1]);
	}
	printf("sum %ld\n", sum);
	return 3;
}
