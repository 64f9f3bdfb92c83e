/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f with 1 to 1000, waits, and with 1001 to 2000; ends with 5. */
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
	for (int n = 1; n <= 1000; n++)
		f(n);
	ready();
	for (int n = 1001; n <= 2000; n++)
		f(n);
	return 5;
}
