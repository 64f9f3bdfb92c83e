/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes calls of which few are slow, in ways that --min-time and --if select
 * from: selected WAY COUNT.
 *
 * LIB: libselected.so -DSELECTED -O2
 * CFLAGS: -O2
 * LDFLAGS: -lselected -lpthread
 */
#include <time.h>

#define SLOW_NS 3000000

int work(int x, long y);
long outer(int count, int from);
unsigned char narrow(unsigned char c, short s);
void fill(int x, int *to);
int lengthy(const char *text);
double real(double x);
void *place(unsigned long at);

#ifdef SELECTED

#include <stddef.h>
#include <time.h>

static void
pass_time(void)
{
	struct timespec time = { .tv_nsec = SLOW_NS };

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

/* Each 700th call is slow. */
int
work(int x, long y)
{
	if (x % 700 == 699)
		pass_time();
	return (int)(x * y % 11) - 5;
}

long
outer(int count, int from)
{
	long sum = 0;

	for (int i = from; i < from + count; i++)
		sum += work(i, i + 1);
	return sum;
}

unsigned char
narrow(unsigned char c, short s)
{
	return (unsigned char)(c + s);
}

void
fill(int x, int *to)
{
	*to = x * 2;
	if (x % 1000 == 999)
		pass_time();
}

int
lengthy(const char *text)
{
	int length = 0;

	while (text[length])
		length++;
	return length;
}

double
real(double x)
{
	return x / 2;
}

void *
place(unsigned long at)
{
	return (void *)(at % 5 ? at << 40 : 0);
}

#else

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int count;
static volatile long sink;

static void
plain(void)
{
	for (int i = 0; i < count; i++)
		sink = work(i, i % 13 - 6);
}

/* The values have other bits above their types. */
static void
mixed(void)
{
	int (*work_of)(long, long) = (int (*)(long, long))(void *)work;
	long (*narrow_of)(long, long) = (long (*)(long, long))(void *)narrow;
	char text[] = "text";

	for (int i = 0; i < count; i++) {
		long high = (long)i << 40;
		int filled;

		sink = work_of(high + i % 600, i - 50);
		sink = narrow_of(high + i, high - i);
		fill(i, &filled);
		text[i % 4] ^= 1;
		sink = lengthy(text) + filled;
		sink = (long)real(i);
		sink = (long)place((unsigned long)i);
	}
}

static void
nested(void)
{
	for (int i = 0; i < count; i += 100)
		sink = outer(100, i);
}

static void *
thread(void *unused)
{
	(void)unused;
	plain();
	return NULL;
}

static void
threads(void)
{
	pthread_t ids[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&ids[i], NULL, thread, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(ids[i], NULL);
}

int
main(int argc, char **argv)
{
	(void)argc;
	count = atoi(argv[2]);
	if (!strcmp(argv[1], "plain"))
		plain();
	else if (!strcmp(argv[1], "mixed"))
		mixed();
	else if (!strcmp(argv[1], "nested"))
		nested();
	else
		threads();
	printf("%ld\n", sink);
	return 0;
}

#endif
