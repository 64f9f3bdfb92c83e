/* SPDX-License-Identifier: GPL-2.0-or-later */
/* In the midst of traced calls until a line is said to it. */
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
