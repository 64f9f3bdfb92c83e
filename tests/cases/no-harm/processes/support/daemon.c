/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Becomes a daemon: forks, and the child lives on in its own session, calls f
 * all the time and writes the count of calls to descriptor 9. That is a pipe
 * which nobody reads; a test may open it through /proc.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	const struct timespec pause = { 0, 1000000 };
	char line[64];
	int ends[2];

	if (fork())
		return 0;
	setsid();
	if (pipe2(ends, O_NONBLOCK) < 0)
		return 1;
	dup2(ends[0], 9);
	snprintf(line, sizeof(line), "daemon is %d", getpid());
	say(line);
	close(1);
	close(2);
	for (int i = 0; f(i) == i; i++) {
		int length = snprintf(line, sizeof(line), "%d\n", i);

		/* If the pipe is full, the oldest lines stay in it. */
		if (write(ends[1], line, (size_t)length) < 0)
			f(i);
		nanosleep(&pause, 0);
	}
	return 1;
}
