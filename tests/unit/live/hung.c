/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Check ends a test that has run into its time limit with killpg(3), in its
 * handler of SIGALRM. This killpg() takes the place of the C library's, and
 * first runs the program that XTRACE_HUNG names (tests/lib/hung.py), which
 * tells where the threads of the test are. tests/run sets this variable.
 *
 * Check also calls killpg(3) after each test, when it has reaped the leader of
 * the group. Then nothing is told.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void
tell(const char *program, pid_t group)
{
	char number[16];
	pid_t child;

	snprintf(number, sizeof(number), "%d", group);
	/* Unlike fork(3), it may be called in the handler of a signal. */
	child = _Fork();
	if (child == 0) {
		execl(program, program, number, NULL);
		_exit(1);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

int
killpg(pid_t group, int number)
{
	const char *program = getenv("XTRACE_HUNG");

	if (program && number == SIGKILL && kill(group, 0) == 0)
		tell(program, group);
	return kill(-group, number);
}
