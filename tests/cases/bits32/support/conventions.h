/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of i386 with arguments in registers. */
#include <stdio.h>

#define NOINLINE __attribute__((noinline, noclone, noipa))
#define REGPARM(n) NOINLINE __attribute__((regparm(n)))

struct large {
	int parts[4];
};

struct one {
	int a;
};

struct pair {
	int a, b;
};

struct real {
	float x;
};

struct nested {
	struct real of[1];
};

struct wide {
	double x;
};

static volatile int zero;

REGPARM(3) int
three(int a, const char *b, short c, int d)
{
	return a + b[0] + c + d + zero;
}

REGPARM(2) int
two(long long a, int b)
{
	return (int)a + b + zero;
}

NOINLINE __attribute__((fastcall)) int
fast(int a, unsigned char b, int c)
{
	return a * b - c + zero;
}

REGPARM(3) struct large
large(int a, int b, int c, int d)
{
	return (struct large){ { a, b, c, d + zero } };
}

REGPARM(3) double
real(double x, int n, float y)
{
	return x * n + y + zero;
}

NOINLINE __attribute__((fastcall)) int
fast_one(struct one x, int a, int b)
{
	return x.a + a * b + zero;
}

NOINLINE __attribute__((fastcall)) int
fast_pair(struct pair x, int a)
{
	return x.a + x.b * a + zero;
}

NOINLINE __attribute__((fastcall)) int
fast_real(struct real x, struct wide y, int a, int b)
{
	return (int)(x.x * y.x) + a * b + zero;
}

REGPARM(3) int
some_real(struct real x, struct nested y, struct wide z, int a)
{
	return (int)(x.x * y.of[0].x * z.x) + a + zero;
}

REGPARM(3) int
some_pair(struct one x, struct pair y, int a)
{
	return x.a + y.a * y.b + a + zero;
}

NOINLINE int
plain(int a, int b)
{
	return a - b + zero;
}

int
main(void)
{
	printf("%d ", three(1, "two", 3, 4));
	printf("%d ", two(-5, 6));
	printf("%d ", fast(7, 8, 9));
	printf("%d ", large(1, 2, 3, 4).parts[3]);
	printf("%g ", real(1.5, 2, 0.25f));
	printf("%d ", fast_one((struct one){ 7 }, 5, 6));
	printf("%d ", fast_pair((struct pair){ 2, 3 }, 5));
	printf("%d ",
	       fast_real((struct real){ 1.5f }, (struct wide){ 4 }, 5, 6));
	printf("%d ",
	       some_real((struct real){ 1.5f }, (struct nested){ { { 2 } } },
			 (struct wide){ 4 }, 5));
	printf("%d ", some_pair((struct one){ 7 }, (struct pair){ 2, 3 }, 5));
	printf("%d\n", plain(9, 4));
	return 0;
}
