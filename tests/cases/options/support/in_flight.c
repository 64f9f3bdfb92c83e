/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits in a function of its own, and calls it once more. */
#include "subject.h"

NOINLINE int outer(int n);

NOINLINE int
outer(int n)
{
	await_line();
	OPAQUE(n);
	return n;
}

int
main(void)
{
	int n;

	say("ready");
	n = outer(1) + outer(2);
	return n - 3;
}
