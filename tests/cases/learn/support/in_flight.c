/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits in a function of its own, and calls it once more.
 *
 * CFLAGS: -g
 */
#include "subject.h"

struct point {
	int x, y;
};

NOINLINE int outer(const struct point *point, int n);

NOINLINE int
outer(const struct point *point, int n)
{
	await_line();
	return point->x + point->y + n;
}

int
main(void)
{
	struct point point = { 3, 4 };
	int n;

	say("ready");
	n = outer(&point, 5);
	return n + outer(&point, 6) - 25;
}
