/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program's own functions are shown with the types of its debug
 * information, from their first call on. The first call of a function is shown
 * as it was at its entry, although the prototype is read later: label() changes
 * what its arguments point to.
 *
 * CFLAGS: -g -O0
 * VARIANT: dwarf5 -gdwarf-5
 * VARIANT: dwarf4 -gdwarf-4
 * VARIANT: split -gsplit-dwarf
 * VARIANT: clang CC=clang
 *
 * RUN: xtrace -x 'area+mix+label+sum+big+many+deeper+tell+apply' %t
 * EXPECT:
 *   area({3, 4}, GREEN, READ|RUN) = 12
 *   area({5, 6}, 7, WRITE) = 30
 *   mix(1.5, 2.5, 3.5, -4, 'e') = 104.5
 *   label({7, %hex, "seven"}, "world", %hex) = "hello"
 *   label({0, nil, nil}, "hello", "hello") = "hello"
 *   sum({1, %hex, "one"}) = 3
 *   big({1, %hex, "one"}, 7) = {8, %hex, "one"}
 *   many(1, 2, 3, 4, 5, 6, 7, -8, 'i', {9, 10}) = 19
 *   deeper("one", 5) = <void>
 *   tell(1, "%%d of %%s", 5, "text") = 9
 *   apply(%hex, 3) = -3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --names -x area -x sum %t
 * EXPECT:
 *   area(size={x=3, y=4}, color=GREEN, bits=READ|RUN) = 12
 *   area(size={x=5, y=6}, color=7, bits=WRITE) = 30
 *   sum(list={value=1, next=%hex, text="one"}) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace --if 'list.value == 1' -x area -x sum %t
 * EXPECT:
 *   sum({1, %hex, "one"}) = 3
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum color { RED, GREEN = 5, BLUE };
enum bits { READ = 1, WRITE = 2, RUN = 4 };
struct point {
	int x, y;
};
struct list {
	int value;
	struct list *next;
	const char *text;
};

int area(struct point size, enum color color, enum bits bits);
double mix(float a, double b, long double c, short d, char e);
char *label(struct list *list, char *from, char *to);
int sum(const struct list *list);
struct list big(struct list list, int n);
int many(int a, int b, int c, int d, int e, int f, long g, short h, char i,
	 struct point j);
void deeper(const char **text, const int *number);
int tell(int level, const char *format, ...);
int apply(int (*function)(int), int n);

int
area(struct point size, enum color color, enum bits bits)
{
	return size.x * size.y + 0 * (int)color * (int)bits;
}

double
mix(float a, double b, long double c, short d, char e)
{
	return a + b + (double)c + d + e;
}

char *
label(struct list *list, char *from, char *to)
{
	*list = (struct list){ 0 };
	strcpy(from, "hello");
	strcpy(to, "hello");
	return to;
}

int
sum(const struct list *list)
{
	int total = 0;

	for (; list; list = list->next)
		total += list->value;
	return total;
}

struct list
big(struct list list, int n)
{
	list.value += n;
	return list;
}

int
many(int a, int b, int c, int d, int e, int f, long g, short h, char i,
     struct point j)
{
	return j.x + j.y + 0 * (a + b + c + d + e + f + (int)g + h + i);
}

void
deeper(const char **text, const int *number)
{
	*text = "";
	(void)number;
}

int
tell(int level, const char *format, ...)
{
	char text[32];
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return length * level;
}

static int
minus(int n)
{
	return -n;
}

int
apply(int (*function)(int), int n)
{
	return function(n);
}

int
main(void)
{
	struct list two = { 2, NULL, "two" }, one = { 1, &two, "one" };
	struct list seven = { 7, &one, "seven" };
	char from[] = "world", to[8];
	const char *text = "one";
	const int number = 5;

	memset(to, 0xff, sizeof(to) - 1);
	to[7] = '\0';
	area((struct point){ 3, 4 }, GREEN, READ | RUN);
	area((struct point){ 5, 6 }, 7, WRITE);
	mix(1.5, 2.5, 3.5, -4, 'e');
	label(&seven, from, to);
	label(&seven, from, to);
	sum(&one);
	big(one, 7);
	many(1, 2, 3, 4, 5, 6, 7, -8, 'i', (struct point){ 9, 10 });
	deeper(&text, &number);
	tell(1, "%d of %s", 5, "text");
	apply(minus, 3);
	return 0;
}
