/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f once for each line of input. The test deletes the library meanwhile,
 * or replaces it by one of another layout.
 *
 * LIB: libmod.so -DMOD
 * LIB: libnew.so -DMOD -DPADDED -Wl,-soname,libmod.so
 * LDFLAGS: -lmod
 */
#include "subject.h"

int f(int x);

#ifdef MOD
#ifdef PADDED
__asm__(".text\n.globl pad\npad: .fill 3333, 1, 0x90\nret\n");
#endif

int
f(int x)
{
	return x + 1;
}
#else
int
main(void)
{
	char c;
	int turn = 0;

	say("ready");
	while (read(0, &c, 1) == 1) {
		if (c == '\n' && f(turn) == turn + 1) {
			turn++;
			say("turn");
		}
	}
	return turn;
}
#endif
