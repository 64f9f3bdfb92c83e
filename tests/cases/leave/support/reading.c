/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f once for each line of input, and exits with 3 at its end.
 *
 * CFLAGS: -g
 */
#include "subject.h"
#include <stdio.h>

__attribute__((noipa)) int
f(int x)
{
	return x * 2;
}

__attribute__((noipa)) int
caller(int x)
{
	return f(x) + 1;
}

int
main(void)
{
	char line[80];

	say("ready");
	while (fgets(line, sizeof(line), stdin)) {
		if (caller(1) != 3)
			return 1;
		say("called");
	}
	return 3;
}
