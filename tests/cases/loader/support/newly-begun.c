/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program of many functions for newly-begun.py, so that reading the program
 * takes long.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 */
#include "subject.h"

#ifdef MOD
EXPORT NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x + 1;
}
#else
int f(int x);

__asm__(".text\n"
	".altmacro\n"
	".macro FUNCTION n\n"
	".globl many\\n\n"
	".type many\\n, @function\n"
	"many\\n: lea 2(%rdi), %eax\n"
	"ret\n"
	".size many\\n, .-many\\n\n"
	".endm\n"
	".set i, 0\n"
	".rept 20000\n"
	"FUNCTION %i\n"
	".set i, i + 1\n"
	".endr\n");

int
main(void)
{
	char byte;

	say("ready");
	while (read(0, &byte, 1) == 1)
		f(1);
	return 7;
}
#endif
