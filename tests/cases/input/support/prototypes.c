/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f once. prototypes.py writes the prototype files. */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	return f(3) - 3;
}
