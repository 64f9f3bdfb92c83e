/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls a function for each line of its input, until one is "stop".
 *
 * CFLAGS: -g
 * LDFLAGS: -Wl,--build-id
 */
#include "subject.h"

NOINLINE int f(const char *text, int n);

NOINLINE int
f(const char *text, int n)
{
	OPAQUE(n);
	return n + (text[0] == 's');
}

int
main(void)
{
	char line[64];
	int n = 0;

	say("ready");
	while (fgets(line, sizeof(line), stdin) && line[0] != 's') {
		n += f("text", 1);
		say("called");
	}
	return n < 1;
}
