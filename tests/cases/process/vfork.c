/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vfork, posix_spawn and system: the child runs in its parent's memory, which
 * contains our traps, until it calls exec or exits. Without -f its calls are
 * not printed, and afterwards every trap of the parent is still planted.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -b -F p.conf -x f %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   f(5) = 5
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -b -f --pid=never -F p.conf -x f %t
 * COUNT: 1 f(1%go
 * COUNT: 1 f(2%go
 * COUNT: 1 f(3%go
 * COUNT: 1 f(4%go
 * COUNT: 1 f(5%go
 * COUNT: 1 f(10%go
 * COUNT: 1 f(20%go
 *
 * RUN: xtrace -b -F p.conf -x f -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 1
 *   %id f(2) = 2
 *   %id f(3) = 3
 *   %id f(4) = 4
 *   %id f(5) = 5
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static int
ended(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int
main(void)
{
	char *command[] = { "true", 0 };
	pid_t pid;

	ready();
	f(1);
	pid = vfork();
	if (!pid) {
		f(10);
		_exit(3);
	}
	if (ended(pid) != 3 || f(2) != 2)
		return 1;
	pid = vfork();
	if (!pid) {
		f(20);
		execv("/bin/true", command);
		_exit(4);
	}
	if (ended(pid) != 0 || f(3) != 3)
		return 2;
	if (posix_spawn(&pid, "/bin/true", 0, 0, command, environ) ||
	    ended(pid) != 0 || f(4) != 4)
		return 3;
	if (system("exit 6") != 6 << 8)
		return 4;
	return f(5) - 5;
}
