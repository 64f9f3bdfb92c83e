/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f as often as each line of input says. An empty line ends it. */
#include "subject.h"

#include <stdlib.h>

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

int
main(void)
{
	char line[16];

	say("ready");
	while (fgets(line, sizeof(line), stdin) && atoi(line) > 0) {
		for (int n = atoi(line); n > 0; n--)
			f(n);
	}
	return 0;
}
