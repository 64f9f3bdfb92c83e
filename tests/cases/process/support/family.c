/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes its process id, its parent's, and whether it has children; then, for
 * each line of its input, the result of f(). Exits with status 7.
 */
#include "subject.h"

#include <errno.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE int f(int x);

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x + 1;
}

int
main(void)
{
	pid_t child = waitpid(-1, NULL, WNOHANG);
	char line[64];

	printf("%d %d %s\n", getpid(), getppid(),
	       child < 0 && errno == ECHILD ? "alone" : "with a child");
	fflush(stdout);
	for (int turn = 1; fgets(line, sizeof(line), stdin); turn++) {
		printf("turn %d\n", f(turn));
		fflush(stdout);
	}
	return 7;
}
