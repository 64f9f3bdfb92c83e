/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls f once for each line of input and counts. */
#include "subject.h"

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	char c, line[32];
	int turn = 0;

	say("ready");
	while (read(0, &c, 1) == 1) {
		if (c != '\n')
			continue;
		snprintf(line, sizeof(line), "turn %d", f(turn));
		turn++;
		say(line);
	}
	return turn;
}
