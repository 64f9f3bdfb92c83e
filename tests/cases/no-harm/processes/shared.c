/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While children of vfork and posix_spawn run in their parent's memory, the
 * parent's other threads make their calls. Some children exec, some fail to
 * exec, exit or are killed in that memory; and a vfork child calls vfork
 * itself.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int g(int);
 * TIMEOUT: 40
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g %t
 * COUNT: 2000 f(%num%any
 * ABSENT:
 *   g(%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+g %t
 * COUNT: 2000 f(%num%any
 * COUNT: 60 g(%num%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+g -p %p
 * ATTACH:
 * COUNT: 2000 f(%num%any
 * ABSENT:
 *   g(%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+g -p %p
 * ATTACH:
 * COUNT: 2000 f(%num%any
 * COUNT: 60 g(%num%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
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

NOINLINE int
g(int x)
{
	OPAQUE(x);
	return x;
}

static void *
calls(void *unused)
{
	for (int i = 0; i < 500; i++)
		if (f(i) != i)
			_exit(50);
	return unused;
}

static int
ended(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
round_of_children(void)
{
	char *yes[] = { "true", 0 };
	pid_t pid, inner;

	pid = vfork();
	if (!pid)
		_exit(g(3));
	if (ended(pid) != 3)
		return 1;
	pid = vfork();
	if (!pid) {
		g(4);
		execv("/nonexistent", yes);
		execv("/bin/true", yes);
		_exit(9);
	}
	if (ended(pid) != 0)
		return 2;
	pid = vfork();
	if (!pid) {
		g(5);
		kill(getpid(), SIGKILL);
	}
	if (ended(pid) != 128 + SIGKILL)
		return 3;
	pid = vfork();
	if (!pid) {
		inner = vfork();
		if (!inner)
			_exit(g(6));
		_exit(ended(inner));
	}
	if (ended(pid) != 6)
		return 4;
	if (posix_spawn(&pid, "/bin/true", 0, 0, yes, environ) ||
	    ended(pid) != 0)
		return 5;
	if (!posix_spawn(&pid, "/nonexistent", 0, 0, yes, environ))
		return 6;
	pid = vfork();
	if (!pid) {
		g(7);
		abort();
	}
	if (ended(pid) != 128 + SIGABRT)
		return 7;
	pid = vfork();
	if (!pid)
		_exit(g(8));
	return ended(pid) == 8 ? 0 : 8;
}

int
main(void)
{
	pthread_t threads[4];
	int result = 0;

	ready();
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, calls, 0);
	for (int i = 0; i < 10 && !result; i++)
		result = round_of_children();
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	return result;
}
