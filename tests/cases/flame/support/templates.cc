// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two instances of a template, and two overloads: four functions.
 *
 * CFLAGS: -g
 */
#include "subject.h"

template <typename T>
NOINLINE T
push(T x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
pull(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE long
pull(long x)
{
	OPAQUE(x);
	return x;
}

int
main()
{
	for (int i = 0; i < 3; i++)
		push<int>(i);
	for (long i = 0; i < 5; i++)
		push<long>(i);
	pull(1);
	return pull(2L) == 2 ? 0 : 1;
}
