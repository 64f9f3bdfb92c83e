/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forks PROCESSES children that live at the same time. When a line comes, each
 * calls f CALLS times, and every third one execs itself first. Each child ends
 * with its own status. See loads.py.
 */
#define _GNU_SOURCE
#include "subject.h"
#include <stdlib.h>
#include <sys/wait.h>

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x + 1;
}

static int
work(long number, long calls)
{
	long wrong = 0;

	for (long i = 0; i < calls; i++)
		wrong += f(i + number) != i + number + 1;
	return wrong ? 99 : (int)(number % 90);
}

static void
child(int gate, int *alive, long number, const char *calls)
{
	char text[32], byte = 0;

	if (write(alive[1], &byte, 1) != 1 || read(gate, &byte, 1) != 0)
		_exit(97);
	snprintf(text, sizeof(text), "%ld", number);
	if (number % 3 == 0)
		execl("/proc/self/exe", "child", "child", text, calls,
		      (char *)0);
	_exit(work(number, atol(calls)));
}

int
main(int argc, char **argv)
{
	long count, wrong = 0;
	int gate[2], alive[2], status;
	char byte;
	pid_t *pids;

	if (argc == 4)
		return work(atol(argv[2]), atol(argv[3]));
	count = atol(argv[1]);
	pids = calloc((size_t)count, sizeof(*pids));
	if (pipe(gate) || pipe(alive))
		return 98;
	for (long i = 0; i < count; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			close(gate[1]);
			child(gate[0], alive, i, argv[2]);
		}
	}
	for (long i = 0; i < count; i++)
		if (read(alive[0], &byte, 1) != 1)
			return 96;
	ready();
	close(gate[1]);
	for (long i = 0; i < count; i++)
		if (waitpid(pids[i], &status, 0) != pids[i] ||
		    status != (int)(i % 90) << 8)
			wrong++;
	say("done");
	await_line();
	say(wrong ? "WRONG" : "right");
	return 5;
}
