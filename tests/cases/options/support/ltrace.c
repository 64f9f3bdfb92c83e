/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls to a library, calls within the library, text, and a signal. Built so
 * that ltrace 0.7.3 sees its PLT.
 *
 * LIB: libmod.so -DMOD -fcf-protection=none -Wl,-z,lazy
 * CFLAGS: -fcf-protection=none
 * LDFLAGS: -lmod -Wl,-z,lazy
 */
#include "subject.h"

#include <signal.h>

int f(int x);
int g(int x);
const char *text(const char *text, int n);
void nothing(char c);

#ifdef MOD
int
f(int x)
{
	return g(x * 10) + 1;
}

int
g(int x)
{
	return x;
}

const char *
text(const char *text, int n)
{
	OPAQUE(n);
	return text;
}

void
nothing(char c)
{
	OPAQUE(c);
}
#else
NOINLINE int
own(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int signal)
{
	(void)signal;
}

int
main(void)
{
	f(1);
	text("some text, longer than the usual 32 bytes\n", 255);
	signal(SIGUSR1, handler);
	raise(SIGUSR1);
	nothing('x');
	return own(f(2) - 21);
}
#endif
