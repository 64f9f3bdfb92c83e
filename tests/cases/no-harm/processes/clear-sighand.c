/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A child made with CLONE_CLEAR_SIGHAND has none of its parent's handlers. Its
 * action at SIGTRAP is the default, which ends it, and sigaction() tells it so.
 * This holds for a child that shares its parent's memory, too, as a child of
 * posix_spawn() does. Signals that were ignored stay ignored.
 *
 * RUN: xtrace -x f %t started
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -f -x f %t started
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -f -x f -p %p
 * ATTACH:
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <linux/sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
handler(int number)
{
	f(number);
}

static void
child(int how)
{
	struct sigaction action;

	f(2);
	if (how % 2 == 0)
		raise(SIGTRAP);
	sigaction(SIGTRAP, 0, &action);
	_exit(action.sa_handler == SIG_DFL ? 40 : 41);
}

/*
 * Inline, because the child returns on the parent's stack before the parent, as
 * with vfork().
 */
static inline __attribute__((always_inline)) long
clone_as(struct clone_args *args)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(SYS_clone3), "D"(args), "S"(sizeof(*args))
			 : "rcx", "r11", "memory");
	return result;
}

int
main(int argc, char **argv)
{
	struct clone_args args = { .flags = CLONE_CLEAR_SIGHAND,
				   .exit_signal = SIGCHLD };
	struct rlimit none = { 0, 0 };
	char line[32];
	int status;

	(void)argv;
	setrlimit(RLIMIT_CORE, &none);
	signal(SIGTRAP, handler);
	if (argc < 2)
		ready();
	for (volatile int how = 0; how < 6; how++) {
		pid_t pid;

		if (how == 2)
			args.flags |= CLONE_VM | CLONE_VFORK;
		if (how == 4)
			signal(SIGTRAP, SIG_IGN);
		if (how == 5)
			args.flags = CLONE_CLEAR_SIGHAND;
		pid = (pid_t)clone_as(&args);
		if (pid == 0)
			child(how);
		f(1);
		if (waitpid(pid, &status, 0) != pid)
			return 1;
		snprintf(line, sizeof(line), "%d: %#x", how, status);
		say(line);
		raise(SIGTRAP);
	}
	return 0;
}
