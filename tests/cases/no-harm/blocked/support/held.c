/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs without a pause until there is a line to read, then prints the longest
 * time in which it did not run, in microseconds. With an argument it blocks
 * instead, in a call that xtrace does not touch. See held.py.
 */
#include "subject.h"
#include <poll.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static long
longest_pause(void)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	long longest = 0, last = now();

	for (unsigned turn = 0;; turn++) {
		long at = now();

		if (at - last > longest)
			longest = at - last;
		last = at;
		if (turn % 65536 == 0 && poll(&input, 1, 0) == 1)
			return longest;
	}
}

/* The time limit is read-only. The kernel cannot store the remaining time in
 * it, so it cannot repeat the call. */
static void
block(void)
{
	static const struct timespec day = { .tv_sec = 86400 };
	struct pollfd input = { .fd = 0, .events = POLLIN };

	syscall(SYS_ppoll, &input, 1, &day, 0, 8);
}

int
main(int argc, char **argv)
{
	char line[32];

	(void)argv;
	say("ready");
	if (argc > 1) {
		block();
	} else {
		snprintf(line, sizeof(line), "%ld", longest_pause());
		say(line);
	}
	await_line();
	return f(0);
}
