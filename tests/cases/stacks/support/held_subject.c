/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits for a line, then calls f() from several places, also from a library
 * that the program loads late.
 *
 * The debug information of the program and the library is in separate files.
 *
 * LIB: late.so -DLATE -g -gdwarf-5
 * CFLAGS: -g -gdwarf-5
 * LDFLAGS: -ldl -rdynamic
 * POST: objcopy --only-keep-debug t t.debug
 * POST: objcopy --only-keep-debug late.so late.debug
 * POST: objcopy --strip-debug --add-gnu-debuglink=t.debug t
 * POST: objcopy --strip-debug --add-gnu-debuglink=late.debug late.so
 */
#include <subject.h>

int f(int n);

#ifdef LATE

EXPORT int
late(int n)
{
	return f(n + 1) + 1;
}

#else

#include <dlfcn.h>

NOINLINE int
f(int n)
{
	OPAQUE(n);
	return n;
}

NOINLINE int
outer(int n)
{
	return f(n) + 1;
}

int
main(void)
{
	int (*function)(int) = NULL;
	void *library;

	ready();
	outer(1);
	outer(2);
	library = dlopen("late.so", RTLD_NOW);
	if (library)
		*(void **)&function = dlsym(library, "late");
	return function ? function(3) - 5 : 99;
}

#endif
