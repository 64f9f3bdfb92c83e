/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program with PAD more bytes of text. Calls f() after each line of input. */
#include "subject.h"

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)

__asm__(".text\n.skip " STRING(PAD) ", 0x90");

NOINLINE int f(int x);
int
f(int x)
{
	OPAQUE(x);
	return x + 1;
}

int
main(int argc, char **argv)
{
	char line[16];

	(void)argv;
	if (argc > 1)
		return f(1) + 5;
	say("ready");
	for (int turn = 1; fgets(line, sizeof(line), stdin); turn++) {
		snprintf(line, sizeof(line), "turn %d", f(turn) - 1);
		say(line);
	}
	return 7;
}
