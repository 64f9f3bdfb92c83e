/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * After a line of input, calls two functions of its own.
 *
 * CFLAGS: -g
 */
#include "subject.h"

struct point {
	int x, y;
};

NOINLINE int f(const struct point *point, const char *text);
NOINLINE int g(int n);

NOINLINE int
f(const struct point *point, const char *text)
{
	int n = point->x + text[0];

	OPAQUE(n);
	return n;
}

NOINLINE int
g(int n)
{
	OPAQUE(n);
	return n;
}

int
main(void)
{
	struct point point = { 1, 2 };

	say("ready");
	await_line();
	f(&point, "text");
	g(3);
	f(&point, "text");
	return 0;
}
