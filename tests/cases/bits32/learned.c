/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototypes from the debug information of a 32-bit program: words, pointers and
 * structs have the sizes of i386.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O1 -g -fno-builtin
 * VARIANT: gcc
 * VARIANT: clang CC=clang
 *
 * RUN: xtrace -x add+wide+take+name %t
 * EXPECT:
 *   add(-2, 7) = 5
 *   wide(-1234567890123, 2.5) = -1234567890121
 *   take({'c', -5, 0.5, "in"}, {'c', -5, 0.5, "in"}, 3) = 3
 *   name("text") = "xt"
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x add+wide --if "b == 7" %t
 * EXPECT:
 *   add(-2, 7) = 5
 *   +++ exited (status 0) +++
 */
#include <stddef.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone))

struct mixed {
	char c;
	long long w;
	double d;
	const char *text;
};

static volatile int zero;

NOINLINE long
add(long a, size_t b)
{
	return a + (long)b + zero;
}

NOINLINE long long
wide(long long x, double y)
{
	return x + (long long)y + zero;
}

NOINLINE int
take(struct mixed by, const struct mixed *at, int n)
{
	return n + (by.text != at->text) + zero;
}

NOINLINE const char *
name(const char *text)
{
	return text + 2 + zero;
}

int
main(void)
{
	struct mixed mixed = { 'c', -5, 0.5, "in" };

	printf("%ld ", add(-2, 7));
	printf("%lld ", wide(-1234567890123, 2.5));
	printf("%d ", take(mixed, &mixed, 3));
	printf("%s\n", name("text"));
	return 0;
}
