/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread blocks all signals for a moment, by a system call that xtrace does
 * not see, as the C library does, and makes traced calls meanwhile. Then it
 * restores its mask, which xtrace does not see either. Before its next traced
 * call, a trap of another thread that blocks SIGTRAP resets the SIGTRAP action.
 * xtrace must not take the mask of the moment for the thread's own. This holds
 * even if a signal interrupts a thread in pthread_sigmask(), before the system
 * call, and if a thread blocks SIGTRAP only in ppoll() when xtrace attaches.
 *
 * FILE: p.conf: int f(int);
 * LDFLAGS: -pthread -rdynamic
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * MESSAGES: any
 *
 * RUN: xtrace --pid=never -F p.conf -x f+munmap+mmap %t
 * MESSAGES: any
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * MESSAGES: any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * MESSAGES: any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* After this many traced calls, xtrace has given a thread a virtual mask. */
#define MANY 8
/* After this many calls, xtrace looks at the SIGTRAP action less often. */
#define TRUSTED 40
#define ROUNDS 2
#define TRAP_BIT (1UL << (SIGTRAP - 1))

extern char **environ;
static pthread_barrier_t both;
static void (*way)(void);
static volatile int done;
static const char *self;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
many(int count)
{
	for (int i = 0; i < count; i++)
		f(i);
}

static unsigned long
set_mask(int how, unsigned long set)
{
	unsigned long before;

	syscall(SYS_rt_sigprocmask, how, &set, &before, sizeof(set));
	return before;
}

static void
tell(const char *what, unsigned long value)
{
	char line[128];

	snprintf(line, sizeof(line), "%s: %lx", what, value);
	say(line);
}

/* The mask that the kernel has for this thread. */
static void
tell_mask(const char *what)
{
	char text[8192];
	int file = open("/proc/thread-self/status", O_RDONLY);
	ssize_t length = read(file, text, sizeof(text) - 1);

	close(file);
	text[length > 0 ? length : 0] = '\0';
	tell(what, strtoul(strstr(text, "SigBlk:") + 7, 0, 16));
}

/* Lets the other thread make one traced call. */
static void
other_calls(void)
{
	pthread_barrier_wait(&both);
	pthread_barrier_wait(&both);
}

/* Blocks only SIGTRAP, so each trap makes the kernel reset its action. */
static void *
other(void *argument)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	for (;;) {
		pthread_barrier_wait(&both);
		if (done)
			return argument;
		f(2);
		pthread_barrier_wait(&both);
	}
}

/* ---- the ways --------------------------------------------------------------
 */

static void
moment(void)
{
	unsigned long before = set_mask(SIG_BLOCK, ~0UL);

	many(MANY);
	set_mask(SIG_SETMASK, before);
	other_calls();
	f(1);
	tell_mask("after a moment");
}

/* Before and after it blocks all signals, the thread blocks only two. */
static void
moment_within(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_SETMASK, &set, 0);
	moment();
	sigemptyset(&set);
	pthread_sigmask(SIG_SETMASK, &set, 0);
	other_calls();
	f(1);
	tell_mask("after a mask around it");
}

static void
forked(void)
{
	int status;
	pid_t pid;

	moment();
	pid = fork();
	if (pid == 0) {
		many(MANY);
		tell_mask("in a child");
		_exit(0);
	}
	waitpid(pid, &status, 0);
	other_calls();
	f(1);
	tell_mask("after a fork");
}

static void
spawned(void)
{
	char *words[] = { (char *)self, (char *)"told", 0 };
	int status;
	pid_t pid;

	moment();
	posix_spawn(&pid, self, 0, 0, words, environ);
	waitpid(pid, &status, 0);
	other_calls();
	f(1);
	tell_mask("after a spawn");
}

/* xtrace sees pthread_sigmask() block all signals. Then the thread sets its
 * former mask by a system call that xtrace does not see. */
static void
asked(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, 0);
	many(MANY);
	set_mask(SIG_SETMASK, 0);
	other_calls();
	f(1);
	tell_mask("after a replaced mask");
}

/* While all signals are blocked, xtrace sees pthread_sigmask() unblock one. The
 * other signals stay blocked. */
static void
unblocked(void)
{
	unsigned long before = set_mask(SIG_BLOCK, ~0UL);
	sigset_t one;

	many(MANY);
	sigemptyset(&one);
	sigaddset(&one, SIGUSR1);
	pthread_sigmask(SIG_UNBLOCK, &one, 0);
	other_calls();
	f(1);
	tell_mask("without one signal");
	set_mask(SIG_SETMASK, before);
	many(2);
	other_calls();
	f(1);
	tell_mask("after it");
}

/* A SIGTRAP is pending while the thread blocks all signals. */
static void
waited(void)
{
	const struct timespec none = { 0, 0 };
	unsigned long before = set_mask(SIG_BLOCK, ~0UL);
	sigset_t trap;

	many(MANY);
	syscall(SYS_tgkill, getpid(), gettid(), SIGTRAP);
	many(2);
	sigemptyset(&trap);
	sigaddset(&trap, SIGTRAP);
	tell("it waits", (unsigned long)sigtimedwait(&trap, 0, &none));
	set_mask(SIG_SETMASK, before);
	other_calls();
	f(1);
	tell_mask("after a signal that waited");
}

/* ---- a signal in pthread_sigmask() -----------------------------------------
 */

static _Thread_local int interrupts;

static void
on_signal(int number)
{
	(void)number;
	many(2);
}

/* The program calls this function in place of the C library's. xtrace may have
 * a guard at either function. */
EXPORT int
pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	if (interrupts)
		syscall(SYS_tgkill, getpid(), gettid(), SIGUSR2);
	return syscall(SYS_rt_sigprocmask, how, set, old, 8) ? 1 : 0;
}

static void *
trusted(void *argument)
{
	many(TRUSTED);
	pthread_barrier_wait(argument);
	pthread_barrier_wait(argument);
	/* At this hit xtrace does not look at the action. Therefore it assumes
	 * that the thread may have lost the action. */
	f(3);
	pthread_barrier_wait(argument);
	pthread_barrier_wait(argument);
	f(3);
	pthread_barrier_wait(argument);
	return 0;
}

static void
interrupted(void)
{
	pthread_barrier_t third;
	pthread_t thread;
	sigset_t set;

	pthread_barrier_init(&third, 0, 2);
	pthread_create(&thread, 0, trusted, &third);
	pthread_barrier_wait(&third);
	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	interrupts = 1;
	pthread_sigmask(SIG_BLOCK, &set, 0);
	pthread_barrier_wait(&third);
	pthread_barrier_wait(&third);
	f(1);
	tell_mask("after an interrupted block");
	many(2);
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	interrupts = 0;
	pthread_barrier_wait(&third);
	pthread_barrier_wait(&third);
	other_calls();
	f(1);
	tell_mask("after an interrupted unblock");
	pthread_join(thread, 0);
}

/* ---- a call with a mask of its own -----------------------------------------
 */

static int ends[2];
static volatile pid_t poller;

static void *
polls(void *argument)
{
	struct pollfd poll = { ends[0], POLLIN, 0 };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	poller = gettid();
	ppoll(&poll, 1, 0, &set);
	other_calls();
	f(1);
	tell_mask("after ppoll");
	return argument;
}

/* Waits until the thread blocks in ppoll(). */
static void
await_poll(void)
{
	char path[64], text[64];
	ssize_t length;
	int file;

	do {
		usleep(1000);
		snprintf(path, sizeof(path), "/proc/self/task/%d/syscall",
			 poller);
		file = open(path, O_RDONLY);
		length = read(file, text, sizeof(text) - 1);
		close(file);
		text[length > 0 ? length : 0] = '\0';
	} while (atoi(text) != SYS_ppoll);
}

static void *
one(void *argument)
{
	for (int i = 0; i < ROUNDS; i++)
		way();
	return argument;
}

int
main(int argc, char **argv)
{
	static void (*const ways[])(void) = { moment,  moment_within, forked,
					      spawned, asked,	      unblocked,
					      waited,  interrupted };
	pthread_t loser, polling;

	self = argv[0];
	if (argc > 1) {
		tell_mask("in a program");
		return 0;
	}
	signal(SIGUSR2, on_signal);
	if (pipe(ends) < 0)
		return 1;
	pthread_barrier_init(&both, 0, 2);
	pthread_create(&polling, 0, polls, 0);
	await_poll();
	ready();
	pthread_create(&loser, 0, other, 0);
	close(ends[1]);
	pthread_join(polling, 0);
	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		pthread_t thread;

		way = ways[i];
		pthread_create(&thread, 0, one, 0);
		pthread_join(thread, 0);
	}
	done = 1;
	pthread_barrier_wait(&both);
	pthread_join(loser, 0);
	return 0;
}
