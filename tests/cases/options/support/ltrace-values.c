/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes values of every kind that ltrace's language has to functions of a
 * library. Built so that ltrace 0.7.3 sees its PLT.
 *
 * LIB: libmod.so -DMOD -fcf-protection=none -Wl,-z,lazy
 * CFLAGS: -fcf-protection=none
 * LDFLAGS: -lmod -Wl,-z,lazy
 */
#include "subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
	double real;
	long number;
};
struct named {
	char name[6];
	short number;
};
struct list {
	int number;
	struct list *next;
};
struct counted {
	unsigned long count;
	int items[6];
};

void colors(int a, int b, int c);
void letters(char a);
void bits(unsigned a, unsigned b, unsigned c);
int truth(int a);
void bases(int a, long b, short c, int d, int e);
struct pair pairs(struct pair pair);
void names(struct named *a, struct named *b);
void arrays(int *a, int b);
int *numbers(int count);
char *filled(char *text, int size);
int out(int *number);
void hidden(int a, int b, int c, int d);
int printed(const char *format, ...);
void lists(struct list *list);
void counts(struct counted *counted);
void texts(const char *a, const char *b, int n, const char *c);
void sizes(char a, short b, unsigned short c, int d, unsigned e, long f,
	   unsigned long g, void *h);
long guessed(long a, void *b, long c, long d);
void many(int a, int b, int c, int d, int e, int f, int g, const char *h);
int made(char **text, const char *format, ...);

#ifdef MOD
static int seven[] = { 7, 8, 9, 10, 11, 12 };

void
colors(int a, int b, int c)
{
	OPAQUE(a);
	(void)b;
	(void)c;
}
void
letters(char a)
{
	OPAQUE(a);
}
void
bits(unsigned a, unsigned b, unsigned c)
{
	OPAQUE(a);
	(void)b;
	(void)c;
}
int
truth(int a)
{
	return !a;
}
void
bases(int a, long b, short c, int d, int e)
{
	OPAQUE(a);
	(void)b, (void)c, (void)d, (void)e;
}
struct pair
pairs(struct pair pair)
{
	pair.real += 1;
	return pair;
}
void
names(struct named *a, struct named *b)
{
	OPAQUE(a);
	(void)b;
}
void
arrays(int *a, int b)
{
	OPAQUE(a);
	(void)b;
}
int *
numbers(int count)
{
	OPAQUE(count);
	return seven;
}
char *
filled(char *text, int size)
{
	return strncpy(text, "filled", size);
}
int
out(int *number)
{
	*number = 8;
	return 0;
}
void
hidden(int a, int b, int c, int d)
{
	OPAQUE(a);
	(void)b, (void)c, (void)d;
}
int
printed(const char *format, ...)
{
	OPAQUE(format);
	return 5;
}
void
lists(struct list *list)
{
	OPAQUE(list);
}
void
counts(struct counted *counted)
{
	OPAQUE(counted);
}
void
texts(const char *a, const char *b, int n, const char *c)
{
	OPAQUE(a);
	(void)b, (void)c, (void)n;
}
void
sizes(char a, short b, unsigned short c, int d, unsigned e, long f,
      unsigned long g, void *h)
{
	OPAQUE(a);
	(void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
}
long
guessed(long a, void *b, long c, long d)
{
	OPAQUE(b);
	(void)a, (void)c;
	return d;
}
void
many(int a, int b, int c, int d, int e, int f, int g, const char *h)
{
	OPAQUE(a);
	(void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
}
int
made(char **text, const char *format, ...)
{
	OPAQUE(format);
	*text = "X=1";
	return 3;
}
#else
int
main(void)
{
	struct named hello = { "hello", 3 }, *volatile none = NULL;
	struct list one = { 1, NULL }, two = { 2, &one }, three = { 3, &two };
	struct counted counted = { 6, { 1, 2, 3, 4, 5, 6 } };
	int four[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, number = 3;
	char room[32] = "before", *text = NULL;

	colors(2, 7, -1);
	letters(2);
	bits(0, 5, 0xfffffffe);
	truth(0);
	truth(7);
	bases(255, -1, -1, 8, 31);
	pairs((struct pair){ 1.5, 7 });
	names(&hello, none);
	arrays(four, 9);
	arrays(four, 4);
	arrays(NULL, 3);
	numbers(3);
	filled(room, sizeof(room));
	out(&number);
	hidden(1, 2, 3, 4);
	printed("%d %s %c %5.2f %lu %p %x", -5, "text", 'x', 1.5, 7ul, room,
		255);
	printed("%*d %.*s %-10s|", 5, 42, 3, "abcdef", "pad");
	printed("%5s %*s %-12s|", "abcdefgh", 4, "abcdefgh", "short");
	printed("none");
	lists(&three);
	counts(&counted);
	texts("plain", "cut here", 3,
	      "0123456789012345678901234567890123456789");
	sizes('a', -2, 65535, -1, 4294967295u, -3, 18446744073709551615ul,
	      room);
	guessed(0xffffffff, room, 4, -5);
	many(1, 2, 3, 4, 5, 6, 7, "eight");
	made(&text, "X=%d", 1);
	return 0;
}
#endif
