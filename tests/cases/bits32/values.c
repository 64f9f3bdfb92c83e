/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments and results of 32-bit programs: words and pairs of words on the
 * stack, results in eax and edx, in an x87 register and behind a hidden pointer,
 * which the function removes from the stack; structs with the alignments of
 * i386; formats, whose long has four bytes. xtrace sees the return of a function
 * that removes its own arguments, and of a function that ends by a jump to it.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O1 -fno-builtin
 * VARIANT: pie
 * VARIANT: fixed -fno-pie -no-pie
 * VARIANT: static -static
 * VARIANT: clang CC=clang
 * FILE: p.conf: struct mixed { char c; long long w; double d; void *p; };
 * FILE: p.conf: typedef pair = struct(int, double);
 * FILE: p.conf: long add(long a, unsigned char b);
 * FILE: p.conf: long long wide(long long x, int y, unsigned long long z);
 * FILE: p.conf: double half(float f, double d);
 * FILE: p.conf: float third(long double x);
 * FILE: p.conf: long double same(long double x);
 * FILE: p.conf: float _Complex turn(float _Complex z);
 * FILE: p.conf: pair make(int a, double b);
 * FILE: p.conf: int take(struct mixed by, in struct mixed *at, const char *text);
 * FILE: p.conf: int removes(int a, int b);
 * FILE: p.conf: int jumps(int a);
 * FILE: p.conf: int sprintf(char *out, format);
 * FILE: p.conf: int nothing(void);
 *
 * RUN: xtrace -F p.conf -x add+wide+half+third+same+turn+make+take %t
 * EXPECT:
 *   add(-2, 255) = 253
 *   wide(-1234567890123, 2, 18446744073709551615) = -2469135780247
 *   half(1.5, -2.5) = -1
 *   third(4.5) = 1.5
 *   same(2.25) = 2.25
 *   turn(1.5+2i) = -2+1.5i
 *   make(3, 2.5) = {3, 2.5}
 *   take({'c', -5, 0.5, 0x10}, {'c', -5, 0.5, 0x10}, "text") = 4
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x make+removes+jumps+nothing %t
 * EXPECT:
 *   make(3, 2.5) = {3, 2.5}
 *   removes(1, 2 <unfinished ...>
 *   nothing() = 0
 *   <... removes resumed> ) = 3
 *   jumps(5 <unfinished ...>
 *   removes(5, 1 <unfinished ...>
 *   nothing() = 0
 *   <... removes resumed> ) = 6
 *   <... jumps resumed> ) = 6
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x sprintf %t
 * EXPECT:
 *   sprintf(%hex, "%ld %lld %s %Lf %c %g %zu", -7, 8589934592, "abc", 1.5, 'x', 2.5, 9) = %num
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x add+unknown %t
 * EXPECT:
 *   add(%any) = 253
 *   unknown(1, -2, %hex, %any) = -3
 *   +++ exited (status 0) +++
 */
#include <stdio.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

struct mixed {
	char c;
	long long w;
	double d;
	void *p;
};

struct pair {
	int a;
	double b;
};

static volatile int zero;

NOINLINE long
add(long a, unsigned char b)
{
	return a + b + zero;
}

NOINLINE long long
wide(long long x, int y, unsigned long long z)
{
	return x * y + (long long)z + zero;
}

NOINLINE double
half(float f, double d)
{
	return f + d + zero;
}

NOINLINE float
third(long double x)
{
	return (float)(x / 3) + zero;
}

NOINLINE long double
same(long double x)
{
	return x + zero;
}

NOINLINE float _Complex
turn(float _Complex z)
{
	return z * 1.0fi + zero;
}

NOINLINE struct pair
make(int a, double b)
{
	struct pair pair = { a + zero, b };

	return pair;
}

NOINLINE int
take(struct mixed by, struct mixed *at, char *text)
{
	return (int)strlen(text) + (by.p != at->p) + zero;
}

NOINLINE int
nothing(void)
{
	return zero;
}

NOINLINE __attribute__((stdcall)) int
removes(int a, int b)
{
	return a + b + nothing();
}

NOINLINE __attribute__((stdcall)) int
jumps(int a)
{
	return zero ? a : removes(a, 1);
}

NOINLINE int
unknown(int a, int b, const char *c, int d)
{
	return zero ? a + b + d + *c : -3;
}

int
main(void)
{
	struct mixed mixed = { 'c', -5, 0.5, (void *)0x10 };
	char out[100];

	printf("%ld ", add(-2, 255));
	printf("%lld ", wide(-1234567890123, 2, 18446744073709551615ull));
	printf("%g ", half(1.5f, -2.5));
	printf("%g ", third(4.5L));
	printf("%Lg ", same(2.25L));
	printf("%g ", __real__ turn(1.5f + 2.0fi));
	printf("%g ", make(3, 2.5).b);
	printf("%d ", take(mixed, &mixed, "text"));
	printf("%d ", removes(1, 2));
	printf("%d ", jumps(5));
	sprintf(out, "%ld %lld %s %Lf %c %g %zu", -7l, 8589934592ll, "abc",
		1.5L, 'x', 2.5, (size_t)9);
	printf("%s %d\n", out, unknown(1, -2, out, 0));
	return 0;
}
