/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What scanf() has filled in is shown at its return, according to its format.
 * What scanf() did not reach is shown as an address. Whether a %n was reached
 * is known only if a conversion behind it was done.
 *
 * FILE: own.conf: int take(const char *from, const char *how, ...) __attribute__((format(scanf, 2, 3)));
 * FILE: own.conf: int pass(const char *how, va_list rest) __attribute__((format(scanf, 1, 0)));
 *
 * RUN: xtrace -F own.conf -F %c/../../../etc -x take+pass+*sscanf+*swscanf %t
 * EXPECT:
 *   __isoc99_sscanf("12 3.5 ff", "%d %f %x", 12, 3.5, 0xff) = 3
 *   __isoc99_sscanf("12 xx", "%d %d", 12, %hex) = 1
 *   __isoc99_sscanf("abc 7", "%*s %ld%n", 7, %hex) = 1
 *   __isoc99_sscanf("hello world 2.5 1.25", "%3c%s %19[a-z] %lf %Lf", "hel", "lo", "world", 2.5, 1.25) = 5
 *   __isoc99_sscanf("zz 300 0x10", "%ms %hhu %p", "zz", 44, 0x10) = 3
 *   __isoc99_sscanf("", "%d", %hex) = -1
 *   __isoc99_sscanf("5 6", "%2$d %1$d", 6, 5) = 2
 *   __isoc99_sscanf("q 1", "%ls%n%d", "q", 1, 1) = 2
 *   __isoc99_sscanf("a]b 1", "%[]a-b]%d", "a]b", 1) = 2
 *   __isoc99_swscanf("wide 3", "%s %d", "wide", 3) = 2
 *   take("17", "%i", 17) = 1
 *   pass("%d", %hex) = 0
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

NOINLINE int
pass(const char *how, va_list rest)
{
	OPAQUE(rest);
	return how == NULL;
}

NOINLINE int
take(const char *from, const char *how, ...)
{
	va_list rest;
	int *to;

	va_start(rest, how);
	to = va_arg(rest, int *);
	*to = atoi(from);
	va_end(rest);
	return 1;
}

static int
passes(const char *how, ...)
{
	va_list rest;
	int r;

	va_start(rest, how);
	r = pass(how, rest);
	va_end(rest);
	return r;
}

int
main(void)
{
	char word[20], other[20], three[3], *made;
	int a = 0, b = 77, n = 0;
	wchar_t wide[20];
	long double ld;
	unsigned char h;
	unsigned x;
	double d;
	float f;
	long l;
	void *p;

	sscanf("12 3.5 ff", "%d %f %x", &a, &f, &x);
	sscanf("12 xx", "%d %d", &a, &b);
	sscanf("abc 7", "%*s %ld%n", &l, &n);
	sscanf("hello world 2.5 1.25", "%3c%s %19[a-z] %lf %Lf", three, word,
	       other, &d, &ld);
	if (sscanf("zz 300 0x10", "%ms %hhu %p", &made, &h, &p) > 0)
		free(made);
	sscanf("", "%d", &a);
	sscanf("5 6", "%2$d %1$d", &a, &b);
	sscanf("q 1", "%ls%n%d", wide, &n, &a);
	sscanf("a]b 1", "%[]a-b]%d", word, &a);
	swscanf(L"wide 3", L"%s %d", word, &a);
	take("17", "%i", &a);
	return passes("%d", 3);
}
