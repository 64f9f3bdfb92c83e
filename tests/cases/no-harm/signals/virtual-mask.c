/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread blocks all signals at many traced calls, so that xtrace unblocks
 * SIGTRAP in the kernel. For the program all is as untraced: the mask that
 * pthread_sigmask() returns; a pending SIGTRAP in sigpending(), sigtimedwait(),
 * sigwait(), signalfd() or another thread that waits; the mask during and after
 * sigsuspend() and ppoll(); the mask that a thread, a forked child and an
 * executed program inherit; and the mask after a signal's handler.
 *
 * FILE: p.conf: int f(int);
 * LDFLAGS: -pthread
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 288 f(1%any= 1
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * COUNT: 288 %id f(1%any= 1
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 288 f(1%any= 1
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

/* After this many traced calls, xtrace has given a thread a virtual mask. */
#define MANY 16

static sigset_t of_frame;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
many(void)
{
	for (int i = 0; i < MANY; i++)
		f(1);
}

static void
tell(const char *what, long value)
{
	char line[128];

	snprintf(line, sizeof(line), "%s: %ld", what, value);
	say(line);
}

/* The signal mask of this process's first thread, as /proc shows it. */
static void
tell_status(const char *what)
{
	char text[8192], *row;
	FILE *file = fopen("/proc/self/status", "r");
	size_t length = fread(text, 1, sizeof(text) - 1, file);

	fclose(file);
	text[length] = '\0';
	row = strstr(text, "SigBlk:");
	row[7 + 17] = '\0';
	say(what);
	say(row);
}

static int
is_blocked(void)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, 0, &now);
	return sigismember(&now, SIGTRAP) && sigismember(&now, SIGUSR1);
}

static int
is_pending(void)
{
	sigset_t pending;

	sigpending(&pending);
	return sigismember(&pending, SIGTRAP);
}

/* Takes a SIGTRAP by sigtimedwait(). Prints its si_code and its sender. */
static void
take(const char *what)
{
	const struct timespec time = { .tv_sec = 10 };
	siginfo_t info = { 0 };
	sigset_t trap;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	tell(what, sigtimedwait(&trap, &info, &time));
	tell("its si_code", info.si_code);
	tell("from this process", info.si_pid == getpid());
}

static void
wait_in_ways(void)
{
	struct signalfd_siginfo info = { 0 };
	sigset_t trap;
	int fd;

	kill(getpid(), SIGTRAP);
	tell("pending by kill", is_pending());
	many();
	tell("still pending", is_pending());
	take("sigtimedwait after kill");
	many();
	syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
	tell("pending by tgkill", is_pending());
	take("sigtimedwait after tgkill");
	many();
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	fd = signalfd(-1, &trap, 0);
	kill(getpid(), SIGTRAP);
	tell("signalfd", read(fd, &info, sizeof(info)) == sizeof(info) &&
				 info.ssi_signo == SIGTRAP);
	close(fd);
	tell("pending after it", is_pending());
}

static void *
waiter(void *fd)
{
	take("another thread's sigtimedwait");
	close(*(int *)fd);
	return 0;
}

/* When the signal comes, another thread may already wait for it, or not yet. */
static void
wait_elsewhere(void)
{
	int ends[2];
	pthread_t other;
	char c;

	if (pipe(ends) < 0)
		_exit(99);
	pthread_create(&other, 0, waiter, &ends[1]);
	many();
	kill(getpid(), SIGTRAP);
	tell("it has taken it", read(ends[0], &c, 1) == 0);
	pthread_join(other, 0);
	close(ends[0]);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	of_frame = ((ucontext_t *)context)->uc_sigmask;
}

static void
be_handled(void)
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO };
	sigset_t one;

	sigaction(SIGRTMIN, &action, 0);
	sigemptyset(&one);
	sigaddset(&one, SIGRTMIN);
	pthread_sigmask(SIG_UNBLOCK, &one, 0);
	many();
	raise(SIGRTMIN);
	tell("blocked in the frame", sigismember(&of_frame, SIGTRAP));
	many();
	tell("blocked after it", is_blocked());
}

/* A system call with a mask of its own, in which one signal is let in. */
static void
wait_with_mask(const char *what, int (*waits)(const sigset_t *mask))
{
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_SIGINFO };
	sigset_t mask;

	sigaction(SIGRTMIN + 1, &action, 0);
	many();
	kill(getpid(), SIGTRAP);
	raise(SIGRTMIN + 1);
	sigemptyset(&of_frame);
	sigfillset(&mask);
	sigdelset(&mask, SIGRTMIN + 1);
	tell(what, waits(&mask));
	tell("its errno is EINTR", errno == EINTR);
	tell("blocked in the frame", sigismember(&of_frame, SIGTRAP));
	tell("still pending", is_pending());
	tell("blocked after it", is_blocked());
	many();
	tell("and after calls", is_blocked());
}

static int
suspends(const sigset_t *mask)
{
	return sigsuspend(mask);
}

static int
polls(const sigset_t *mask)
{
	const struct timespec time = { .tv_sec = 10 };

	return ppoll(0, 0, &time, mask);
}

static void
wait_in_masks(void)
{
	sigset_t trap;
	int number = 0;

	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	wait_with_mask("sigsuspend", suspends);
	tell("sigwait", sigwait(&trap, &number));
	tell("its signal", number == SIGTRAP);
	wait_with_mask("ppoll", polls);
	tell("sigwait", sigwait(&trap, &number));
	tell("pending after it", is_pending());
}

static void *
born(void *unused)
{
	tell("a thread blocks it", is_blocked());
	many();
	tell("and after calls", is_blocked());
	return unused;
}

static void
be_inherited_by_thread(void)
{
	pthread_t other;

	many();
	pthread_create(&other, 0, born, 0);
	pthread_join(other, 0);
}

static void
be_inherited(const char *program)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		tell("the child blocks it", is_blocked());
		execl(program, program, "told", (char *)0);
		_exit(98);
	}
	waitpid(child, &status, 0);
	tell("status of the child", status);
}

int
main(int argc, char **argv)
{
	sigset_t all, before;

	if (argc == 2) {
		tell_status("the mask of the program");
		return 0;
	}
	ready();
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	tell("blocked before", sigismember(&before, SIGTRAP));
	many();
	tell("blocked", is_blocked());
	many();
	wait_in_ways();
	many();
	wait_elsewhere();
	wait_in_masks();
	be_inherited_by_thread();
	many();
	be_inherited(argv[0]);
	many();
	be_handled();
	pthread_sigmask(SIG_SETMASK, &before, &all);
	tell("it was blocked", sigismember(&all, SIGTRAP));
	tell_status("the mask at the end");
	many();
	return 0;
}
