/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f once, then COUNT times (10 by default) when a line comes. See
 * refused.py.
 */
#include "subject.h"
#include <malloc.h>
#include <stdlib.h>

NOINLINE double
f(int x, const char *text, double y)
{
	OPAQUE(x);
	return y + x + (double)strlen(text);
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 10;
	double sum = f(1, "one", 0.5);

	ready();
	for (int i = 0; i < count; i++)
		sum += f(i % 10, "more", 1.5);
	say(sum == 4.5 + 10 * count ? "right" : "WRONG");
	return 7;
}
