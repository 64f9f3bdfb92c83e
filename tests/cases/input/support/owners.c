/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f once and ends with a status other than 0; see owners.py. */
#include "subject.h"

#include <stdio.h>

NOINLINE int
f(const char *text)
{
	OPAQUE(text);
	return 5;
}

int
main(void)
{
	printf("%d\n", f("text"));
	return 3;
}
