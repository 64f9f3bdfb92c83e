/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a line twice, each time within a function that was entered by a
 * jump from another one. If the second function stores its frame by a register,
 * the stack walk needs that register, too.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * VARIANT: plt -O2
 * VARIANT: noplt -O2 -fno-plt
 * VARIANT: frames -O2 -fno-omit-frame-pointer
 */
#include <poll.h>
#include <subject.h>

int left(const char *text, int (*wait)(void), long limit);

#ifdef MOD

/* The compiler makes a jump of this call only when it optimizes. */
__asm__(".globl left\n"
	".type left, @function\n"
	"left:\n"
	"	.cfi_startproc\n"
	"	jmp *%rsi\n"
	"	.cfi_endproc\n"
	"	.size left, . - left\n");

#else

NOINLINE int
wait_in_read(void)
{
	struct pollfd one = { .events = POLLIN };
	char byte;

	return poll(&one, 1, -1) == 1 ? (int)read(0, &byte, 1) : -1;
}

NOINLINE int
ask(void)
{
	int r = left("SELECT 2", wait_in_read, 43);

	OPAQUE(r);
	return r;
}

int
main(void)
{
	say("ready");
	return ask() + ask() == 2 ? 0 : 1;
}

#endif
