/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes CALLS calls of f. See loads.py. */
#include "subject.h"
#include <stdlib.h>

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x + 1;
}

int
main(int argc, char **argv)
{
	long wrong = 0;

	ready();
	for (long i = 0; argc > 1 && i < atol(argv[1]); i++)
		wrong += f(i) != i + 1;
	ready();
	say(wrong ? "WRONG" : "right");
	return 5;
}
