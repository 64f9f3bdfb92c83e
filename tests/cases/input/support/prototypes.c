/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f once; the prototype files are prototypes.py's. */
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
