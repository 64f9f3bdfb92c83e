/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls with every kind of value, signals, an exec and a thread. */
#include "subject.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <wchar.h>

struct point {
	int x;
	double y;
	const char *name;
};

static jmp_buf back;

NOINLINE int
numbers(signed char c, unsigned short h, int i, unsigned long l, float f,
	double d)
{
	OPAQUE(c);
	return i + (int)h + (int)l + (int)f + (int)d;
}

NOINLINE const char *
texts(const char *plain, const char *bytes, const wchar_t *wide, char *null,
      const char *nowhere)
{
	OPAQUE(plain);
	(void)bytes, (void)wide, (void)null, (void)nowhere;
	return plain;
}

NOINLINE struct point *
pointed(struct point *point, int *array, int n)
{
	OPAQUE(array);
	point->x += n;
	return point;
}

NOINLINE int
flagged(int flags, int kind)
{
	OPAQUE(flags);
	return kind;
}

NOINLINE int
failing(void)
{
	int result = -1;

	OPAQUE(result);
	errno = ENOENT;
	return result;
}

NOINLINE void
jumping(int n)
{
	OPAQUE(n);
	longjmp(back, n);
}

NOINLINE long
unknown(long n)
{
	OPAQUE(n);
	return n;
}

static void *
thread(void *argument)
{
	unknown((long)argument);
	return NULL;
}

static void
nothing(int signal)
{
	(void)signal;
}

int
main(int argc, char **argv)
{
	struct point point = { 1, 0.1, "here" };
	int array[] = { 1, 2, 3, 4, 5, 6 };
	pthread_t id;

	numbers(-1, 65535, -2, 18446744073709551615ul, 1.5f, 1e300);
	texts("0123456789012345678901234567890123456789", "caf\xe9 \"\\\n",
	      L"wide \u00e9", NULL, (const char *)16);
	pointed(&point, array, 6);
	flagged(2 | 64, 1);
	flagged(1024, 9);
	failing();
	if (setjmp(back) == 0)
		jumping(1);
	else
		unknown(2);
	pthread_create(&id, NULL, thread, (void *)5);
	pthread_join(id, NULL);
	signal(SIGUSR1, nothing);
	raise(SIGUSR1);
	if (argc == 1)
		execl("/proc/self/exe", argv[0], "again", NULL);
	raise(SIGKILL);
	return 1;
}
