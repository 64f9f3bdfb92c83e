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
int spoil(char *text, int x);
int sized(const char *bytes, unsigned length);
int pair(const char *one, const char *other);
int unread(const char *text, int x);

#ifdef SELECTED

#include <stddef.h>
#include <string.h>
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

/* The text is another one when the function returns. */
int
spoil(char *text, int x)
{
	int first = text[0];

	memset(text, '#', strlen(text));
	if (x % 1000 == 999)
		pass_time();
	return x % 100 == 99 ? -first : first;
}

int
sized(const char *bytes, unsigned length)
{
	int sum = 0;

	for (unsigned i = 0; i < length; i++)
		sum += bytes[i];
	return sum % 16 - 1;
}

int
pair(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) : -7;
}

int
unread(const char *text, int x)
{
	return text && x % 50 == 49 ? -x : x;
}

#else

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int count;
static volatile long sink;

static void
plain(void)
{
	for (int i = 0; i < count; i++)
		sink = work(i, i % 13 - 6);
}

/* Passes values that do not fit into the types of the parameters. */
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

/* Texts of all lengths up to two pages, at all places of a page and in all
 * kinds of memory; some are NULL or empty. Each is freed or changed soon. */
static void
texts(void)
{
	static char room[1 << 14];

	for (int i = 0; i < count; i++) {
		size_t length = (size_t)(i % 10 ? i % 90 : i * 7 % 5000);
		char *text = room + i * 61 % 8000, *copy;

		memset(text, 'a' + i % 26, length);
		text[length] = '\0';
		copy = strdup(text);
		sink = sized(text, (unsigned)length);
		sink = pair(i % 17 ? copy : NULL, i % 2 ? text : "another");
		sink = spoil(copy, i);
		free(copy);
	}
}

/* The texts of the second half of the calls are not mapped any more, and those
 * of the last calls cannot be read. */
static void
unmapped(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	char *text = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	strcpy(text, "there");
	strcpy(text + size, "hidden");
	for (int i = 0; i < count; i++) {
		if (i == count / 2)
			munmap(text, size);
		if (i == count / 2)
			mprotect(text + size, size, PROT_NONE);
		sink = unread(text, i) + unread(text + size, i);
	}
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
	else if (!strcmp(argv[1], "texts"))
		texts();
	else if (!strcmp(argv[1], "unmapped"))
		unmapped();
	else
		threads();
	printf("%ld\n", sink);
	return 0;
}

#endif
