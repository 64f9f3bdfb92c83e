/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits, calls f once, ends with 5. */
#include "subject.h"

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

int
main(void)
{
	ready();
	f(1);
	return 5;
}
