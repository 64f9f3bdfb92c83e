/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stays within traced calls until there is a line of input. */
#include "subject.h"

NOINLINE int
inner(int x)
{
	say("within");
	await_line();
	OPAQUE(x);
	return x;
}

NOINLINE int
outer(int x)
{
	x = inner(x + 1);
	OPAQUE(x);
	return x + 1;
}

int
main(void)
{
	ready();
	if (outer(1) != 3)
		return 1;
	say("right");
	await_line();
	return outer(4) - 6;
}
