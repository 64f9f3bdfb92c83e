/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes COUNT quick calls of work() for each line that it reads, and then one
 * that ends when the next line is read: blocked-in COUNT. Prints "in" when it
 * is in that call, and how many calls have ended.
 *
 * LIB: libblocked.so -DBLOCKED -O2
 * CFLAGS: -O2
 * LDFLAGS: -lblocked
 */
int work(int x, int (*then)(void));
int around(int count, int (*then)(void));

#ifdef BLOCKED

static volatile int calls;

int
work(int x, int (*then)(void))
{
	calls++;
	return then ? then() : x + 1;
}

int
around(int count, int (*then)(void))
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += work(i, 0);
	return sum + work(-1, then);
}

#else

#include <stdio.h>
#include <stdlib.h>

static char line[16];

static int
wait_for_line(void)
{
	puts("in");
	fflush(stdout);
	return fgets(line, sizeof(line), stdin) ? 7 : 9;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;

	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (int i = 0; i < count; i++)
		around(0, NULL);
	printf("%d\n", around(count, wait_for_line));
	return 0;
}

#endif
