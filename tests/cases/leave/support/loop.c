/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f some thousand times a second until there is a line of input, and
 * counts its signals. Exits with 3 if every result was right.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 */
#include "subject.h"
#include <poll.h>
#include <signal.h>
#include <time.h>

int f(int x);

#ifdef MOD
int
f(int x)
{
	return x * 2 + 1;
}
#else
static volatile int caught;

static void
handler(int number)
{
	caught += number == SIGINT;
	say("caught");
}

int
main(int argc, char **argv)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	struct timespec pause = { 0, 200000 };

	if (argc > 1 && !strcmp(argv[1], "catch"))
		signal(SIGINT, handler);
	say("ready");
	for (int i = 0; poll(&input, 1, 0) == 0; i++) {
		if (f(i) != i * 2 + 1)
			return 1;
		nanosleep(&pause, 0);
	}
	say("done");
	return 3 + caught;
}
#endif
