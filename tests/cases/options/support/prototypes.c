/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two functions in a library with a long soname, and a function of the program
 * that has the name of a function of libc.
 *
 * LIB: libown.so.1.2 -DOWN -Wl,-soname,libown.so.1.2
 * LDFLAGS: -l:libown.so.1.2
 */
#include "subject.h"

int f(const char *text);
int g(int n);
void *malloc(size_t size);

#ifdef OWN
int
f(const char *text)
{
	OPAQUE(text);
	return 5;
}

int
g(int n)
{
	return n;
}
#else
NOINLINE void *
malloc(size_t size)
{
	static char room[64];
	char *at = room;

	OPAQUE(size);
	OPAQUE(at);
	return at;
}

int
main(void)
{
	return f("text") + g(2) - 7 + !malloc(3);
}
#endif
