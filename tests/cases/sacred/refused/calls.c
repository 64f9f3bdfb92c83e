/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f once, and again when a line comes. See refused.py. */
#include "subject.h"
#include <malloc.h>

NOINLINE double
f(int x, const char *text, double y)
{
	OPAQUE(x);
	return y + x + (double)strlen(text);
}

int
main(void)
{
	double sum = f(1, "one", 0.5);

	ready();
	for (int i = 0; i < 10; i++)
		sum += f(i, "more", 1.5);
	say(sum == 104.5 ? "right" : "WRONG");
	return 7;
}
