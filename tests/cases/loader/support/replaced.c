/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f as often as it is told lines. The library is taken away or
 * replaced by one of another layout while it runs.
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
