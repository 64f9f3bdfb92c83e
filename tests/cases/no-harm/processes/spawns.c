/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posix_spawn with attributes and file actions of all kinds, system() and
 * popen(): each child finds what was asked for, and nothing of xtrace. With -f
 * a child is traced from its very first instruction, without it not at all.
 *
 * FILE: p.conf: int f(int);
 * TIMEOUT: 40
 *
 * RUN: xtrace --pid=never -F p.conf -x f+_start@MAIN %t
 * COUNT: 1 f(2%any
 * COUNT: 1 _start(%any
 * COUNT: 12 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+_start@MAIN %t
 * COUNT: 12 _start(%any
 * COUNT: 12 f(2%any
 * COUNT: 12 f(1%any
 * COUNT: 11 f(3%any
 *
 * RUN: xtrace -f -e posix_spawn+system+popen -x @libc.so.6 -o /dev/null %t
 * MESSAGES: any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+_start@MAIN -p %p
 * ATTACH:
 * COUNT: 12 f(1%any
 * ABSENT:
 *   f(3%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 11 f(2%any
 * COUNT: 12 f(1%any
 * COUNT: 11 f(3%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char **environ;
static char *self;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

__attribute__((constructor)) static void
before_main(void)
{
	f(2);
}

/* True if the child finds what the letter `what` stands for. */
static int
found(char what)
{
	struct sigaction action;
	char folder[64];
	sigset_t mask;

	sigprocmask(0, 0, &mask);
	switch (what) {
	case 'p': /* the child has its own process group */
		return getpgrp() == getpid();
	case 's': /* the child has its own session */
		return getsid(0) == getpid();
	case 'm': /* SIGUSR2 and SIGTRAP are blocked */
		return sigismember(&mask, SIGUSR2) &&
		       sigismember(&mask, SIGTRAP);
	case 'M': /* neither SIGUSR2 nor SIGTRAP is blocked */
		return !sigismember(&mask, SIGUSR2) &&
		       !sigismember(&mask, SIGTRAP);
	case 'i': /* SIGUSR1 is still ignored */
		return !sigaction(SIGUSR1, 0, &action) &&
		       action.sa_handler == SIG_IGN;
	case 'd': /* SIGUSR1 is no longer ignored */
		return !sigaction(SIGUSR1, 0, &action) &&
		       action.sa_handler == SIG_DFL;
	case 't': /* SIGTRAP has its default action */
		return !sigaction(SIGTRAP, 0, &action) &&
		       action.sa_handler == SIG_DFL && !action.sa_flags;
	case 'o': /* 60 and 61 are open files, 50 and 62 are not */
		return fcntl(60, F_GETFD) >= 0 && fcntl(61, F_GETFD) >= 0 &&
		       fcntl(50, F_GETFD) < 0 && fcntl(62, F_GETFD) < 0;
	case 'r': /* the current folder is the root folder */
		return getcwd(folder, sizeof(folder)) && !strcmp(folder, "/");
	default:
		return 0;
	}
}

static int
child(const char *wanted)
{
	f(3);
	for (; *wanted; wanted++)
		if (!found(*wanted))
			return *wanted;
	return 0;
}

static int
status_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static int
spawned(int flags, const posix_spawn_file_actions_t *actions,
	const char *wanted)
{
	char *arguments[] = { self, (char *)wanted, 0 };
	posix_spawnattr_t attributes;
	sigset_t set;
	pid_t pid;
	int r;

	posix_spawnattr_init(&attributes);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGTRAP);
	posix_spawnattr_setsigmask(&attributes, &set);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, (short)flags);
	r = posix_spawn(&pid, self, actions, &attributes, arguments, environ);
	posix_spawnattr_destroy(&attributes);
	return f(1) == 1 && r == 0 ? status_of(pid) : 300 + r;
}

static int
by_attributes(void)
{
	const struct {
		int flags;
		const char *wanted;
	} rows[] = {
		{ 0, "iMt" },
		{ POSIX_SPAWN_USEVFORK, "iMt" },
		{ POSIX_SPAWN_SETPGROUP, "pit" },
		{ POSIX_SPAWN_SETSID, "sit" },
		{ POSIX_SPAWN_SETSIGMASK, "mit" },
		{ POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_RESETIDS, "dMt" },
		{ POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK, "dmt" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (spawned(rows[i].flags, 0, rows[i].wanted))
			return 1 + (int)i;
	return 0;
}

static int
by_actions(void)
{
	posix_spawn_file_actions_t actions;
	int r;

	dup2(1, 50);
	dup2(1, 62);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 60, "/dev/null", O_RDONLY,
					 0);
	posix_spawn_file_actions_adddup2(&actions, 60, 61);
	posix_spawn_file_actions_addclose(&actions, 50);
	posix_spawn_file_actions_addclosefrom_np(&actions, 62);
	posix_spawn_file_actions_addchdir_np(&actions, "/");
	r = spawned(0, &actions, "orit");
	if (r == 0)
		r = spawned(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP,
			    &actions, "ormpit");
	/* The exec fails, so the child ends in its parent's memory. */
	posix_spawn_file_actions_addopen(&actions, 63, "/nonexistent/x",
					 O_RDONLY, 0);
	if (r == 0)
		r = spawned(0, &actions, "") - 300 - ENOENT;
	posix_spawn_file_actions_destroy(&actions);
	close(50);
	close(62);
	return r ? 20 : 0;
}

static int
by_shell(void)
{
	char command[600], line[16] = "";
	FILE *pipe;

	snprintf(command, sizeof(command), "%s iMt", self);
	if (f(1) != 1 || system(command))
		return 30;
	snprintf(command, sizeof(command), "%s iMt && echo %d", self, f(1));
	pipe = popen(command, "r");
	if (!pipe || !fgets(line, sizeof(line), pipe) || strcmp(line, "1\n"))
		return 31;
	return pclose(pipe) ? 32 : 0;
}

int
main(int argc, char **argv)
{
	char *nothing[] = { "nothing", 0 };
	pid_t pid;
	int r;

	self = argv[0];
	if (argc > 1)
		return child(argv[1]);
	signal(SIGUSR1, SIG_IGN);
	ready();
	r = by_attributes();
	if (r == 0)
		r = by_actions();
	if (r == 0)
		r = by_shell();
	if (r == 0 &&
	    posix_spawnp(&pid, "nonexistent", 0, 0, nothing, environ) != ENOENT)
		r = 40;
	return r;
}
