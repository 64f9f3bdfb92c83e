/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A master starts two workers, and one more for each line of input. The second
 * worker forks a worker whose name is the program's argument. Each worker
 * prints its pid, and calls f with its number until the input ends.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
work(int number)
{
	const struct timespec pause = { 0, 1000000 };
	char line[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(line, sizeof(line), "worker %d is %d", number, getpid());
	say(line);
	for (;;) {
		if (f(number) != number)
			_exit(9);
		nanosleep(&pause, 0);
	}
}

int
main(int argc, char **argv)
{
	int number = 1, status;
	char c;

	for (; number < 3; number++)
		if (!fork()) {
			if (number == 2 && !fork()) {
				prctl(PR_SET_NAME, argv[argc - 1]);
				work(30);
			}
			work(number);
		}
	while (read(0, &c, 1) == 1)
		if (c == '\n' && !fork())
			work(++number * 10);
		else if (c == '\n')
			number++;
	kill(0, SIGTERM);
	while (wait(&status) > 0)
		;
	return 0;
}
