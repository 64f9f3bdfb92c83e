/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits, and calls f once.
 *
 * VARIANT: static -static
 */
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
	return 0;
}
