/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forked children: without -f xtrace lets them go, and no byte of xtrace
 * remains in them; with -f they are traced from their first instruction.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -b --pid=never -F p.conf -x f %t
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -x f %t
 * COUNT: 1 f(1%go
 * COUNT: 1 f(2%go
 * COUNT: 1 f(3%go
 * COUNT: 1 f(10%go
 * COUNT: 1 f(20%go
 * COUNT: 1 f(30%go
 * COUNT: 1 +++ exited (status 4) +++
 * COUNT: 2 +++ exited (status 0) +++
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * CONTAINS:
 *   %{P} f(1) = 1
 *   %{P} f(2%go
 *   %{P} f(3) = 3
 *   %{P} +++ exited (status 0) +++
 *
 * RUN: xtrace -b -F p.conf -x f -p %p
 * ATTACH:
 * EXPECT:
 *   %id f(1) = 1
 *   %id f(2) = 2
 *   %id f(3) = 3
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -f -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 6 %id f(%num%go
 */
#include "subject.h"
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static int
child(void)
{
	f(10);
	if (!fork())
		_exit(f(20) - 20);
	wait(0);
	f(30);
	return 4;
}

int
main(void)
{
	int status;
	pid_t pid;

	ready();
	f(1);
	pid = fork();
	if (!pid)
		_exit(child());
	f(2);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 4)
		return 1;
	return f(3) - 3;
}
