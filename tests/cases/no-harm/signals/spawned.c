/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children of posix_spawn(), posix_spawnp() and system(). The C library blocks
 * all signals until the child's exec, but no trap of xtrace resets a signal
 * action meanwhile, so a child lives if xtrace is killed. The mask that the
 * child gets, and the mask of the parent afterwards, are as without xtrace.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --stats --pid=never -F p.conf -x f %t plain
 * COUNT: 20 f(1%any
 * SAYS:
 *   xtrace: stops:%any
 *   xtrace: system calls:%any
 *   xtrace: calls traced: 20;%any
 *   xtrace: held at attach: 0.000 ms in all, 0.000 ms at most at a time
 *
 * RUN: xtrace --stats --pid=never -S 'wait*' -F p.conf -x f %t plain
 * COUNT: 20 f(1%any
 * SAYS:
 *   xtrace: stops:%any
 *   xtrace: system calls:%any
 *   xtrace: calls traced: %any
 *   xtrace: held at attach: 0.000 ms in all, 0.000 ms at most at a time
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t masks
 * COUNT: 128 f(1%any
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f %t followed
 * COUNT: 128 f(1%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 128 f(1%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* After this many traced calls, xtrace has given a thread a virtual mask. */
#define MANY 16

static char *path;

/* True with -f. Then no program is executed with all signals blocked except
 * SIGTRAP: SIGUSR1 is not blocked either. */
static int followed;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
await(pid_t pid)
{
	int status = -1;

	if (waitpid(pid, &status, 0) != pid || status != 0)
		say("a child has died");
}

static void
spawn(int (*how)(pid_t *, const char *, const posix_spawn_file_actions_t *,
		 const posix_spawnattr_t *, char *const *, char *const *),
      const posix_spawnattr_t *attributes)
{
	char *const arguments[] = { path, "child", NULL };
	pid_t pid;

	if (how(&pid, path, NULL, attributes, arguments, environ) != 0)
		say("no child");
	else
		await(pid);
}

static void
plain(void)
{
	posix_spawnattr_t attributes;
	sigset_t all;

	posix_spawnattr_init(&attributes);
	sigfillset(&all);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	for (int i = 0; i < 10; i++) {
		f(1);
		spawn(posix_spawn, NULL);
		f(1);
		spawn(posix_spawnp, &attributes);
	}
	posix_spawnattr_destroy(&attributes);
}

static void
say_mask(const char *what, const sigset_t *mask)
{
	char line[64];

	snprintf(line, sizeof(line), "%s: %016lx", what,
		 *(const unsigned long *)mask);
	say(line);
}

static void
with_mask(const char *name, const sigset_t *mask)
{
	posix_spawnattr_t attributes;
	sigset_t now, not_trap;

	say(name);
	sigprocmask(SIG_SETMASK, mask, NULL);
	for (int i = 0; i < MANY; i++)
		f(1);
	spawn(posix_spawn, NULL);
	sigfillset(&not_trap);
	sigdelset(&not_trap, SIGTRAP);
	if (followed)
		sigdelset(&not_trap, SIGUSR1);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &not_trap);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	spawn(posix_spawnp, &attributes);
	posix_spawnattr_destroy(&attributes);
	if (posix_spawn(&(pid_t){ 0 }, "/nowhere", NULL, NULL,
			(char *[]){ path, NULL }, environ) == 0)
		say("a child without a program");
	for (int i = 0; i < MANY; i++)
		f(1);
	sigprocmask(SIG_BLOCK, NULL, &now);
	say_mask("parent", &now);
}

static void
masks(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	with_mask("no signal", &mask);
	sigaddset(&mask, SIGTRAP);
	with_mask("SIGTRAP", &mask);
	sigfillset(&mask);
	with_mask("all", &mask);
	sigdelset(&mask, SIGTRAP);
	if (followed)
		sigdelset(&mask, SIGUSR1);
	with_mask("all except SIGTRAP", &mask);
}

/* posix_spawn() gets no memory for its child's stack and has blocked no signal
 * when it fails. */
static void
fail(void)
{
	struct rlimit limit, none = { 0 };

	getrlimit(RLIMIT_AS, &limit);
	none.rlim_max = limit.rlim_max;
	setrlimit(RLIMIT_AS, &none);
	if (posix_spawn(&(pid_t){ 0 }, path, NULL, NULL,
			(char *[]){ path, NULL }, environ) != ENOMEM)
		say("a child without a stack");
	setrlimit(RLIMIT_AS, &limit);
}

/* A program that a child of vfork() executes blocks all signals as its parent
 * does, even if posix_spawn() failed before or after the parent did so. */
static void
vforks(bool blocks_before)
{
	sigset_t all, before;
	pid_t pid;

	say(blocks_before ? "blocks, fails" : "fails, blocks");
	sigfillset(&all);
	if (!blocks_before)
		fail();
	sigprocmask(SIG_SETMASK, &all, &before);
	if (blocks_before)
		fail();
	pid = vfork();
	if (pid == 0) {
		execl(path, path, "child", (char *)NULL);
		_exit(9);
	}
	await(pid);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
child(void)
{
	sigset_t mask = { 0 };

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, 8);
	say_mask("child", &mask);
}

int
main(int argc, char **argv)
{
	path = argv[0];
	if (argc == 2 && !strcmp(argv[1], "child"))
		child();
	else if (argc == 2 && !strcmp(argv[1], "plain"))
		plain();
	else {
		if (argc == 1)
			ready();
		followed = argc == 2 && !strcmp(argv[1], "followed");
		vforks(true);
		vforks(false);
		masks();
	}
	return 0;
}
