/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program with a library. See linked.py.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -l:libmod.so
 */
#include "subject.h"

#ifdef MOD

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

#else

int f(int n);

int
main(void)
{
	return f(3) - 3;
}

#endif
