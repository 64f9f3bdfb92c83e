/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hundreds of short lives: until a line of input comes, a master, its two
 * workers and a thread of each start processes and threads that call f once and
 * end. At the end the program prints how many there were and how many did not
 * end as they should. Each of the latter is described on stderr.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define WORKERS 2

extern char **environ;
static char *self;
static struct {
	int stop, lives, wrong;
} * shared;

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

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int
as_expected(const char *kind, int end, int expected)
{
	if (end != expected)
		fprintf(stderr, "%d: %s ended %d, not %d\n", getpid(), kind,
			end, expected);
	return end == expected;
}

static void *
brief(void *number)
{
	return (void *)(long)f((int)(long)number);
}

static int
one_thread(int number)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, 0, brief, (void *)(long)number))
		return 0;
	pthread_join(thread, &result);
	return as_expected("thread", (int)(long)result, number);
}

static int
one_process(int number)
{
	char *arguments[] = { self, "brief", 0 };
	pid_t pid;

	switch (number % 4) {
	case 0:
		pid = fork();
		if (!pid)
			_exit(f(number & 63));
		return as_expected("fork", ended(pid), number & 63);
	case 1:
		if (posix_spawn(&pid, self, 0, 0, arguments, environ))
			return 0;
		return as_expected("posix_spawn", ended(pid), 17);
	case 2:
		pid = vfork();
		if (!pid)
			_exit(f(number & 63));
		return as_expected("vfork", ended(pid), number & 63);
	default:
		pid = fork();
		if (!pid)
			for (;;)
				f(number);
		kill(pid, SIGKILL);
		return as_expected("killed", ended(pid), -SIGKILL);
	}
}

static void
live(int (*one)(int))
{
	for (int i = 0; !__atomic_load_n(&shared->stop, __ATOMIC_RELAXED);
	     i++) {
		__atomic_fetch_add(&shared->wrong, !one(i), __ATOMIC_RELAXED);
		__atomic_fetch_add(&shared->lives, 1, __ATOMIC_RELAXED);
	}
}

static void *
threads(void *unused)
{
	live(one_thread);
	return unused;
}

static void
work(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, threads, 0);
	live(one_process);
	pthread_join(thread, 0);
}

int
main(int argc, char **argv)
{
	pid_t workers[WORKERS];
	char line[64];

	self = argv[0];
	if (argc > 1)
		return f(17);
	shared = mmap(0, 4096, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		if (!workers[i]) {
			work();
			_exit(40);
		}
	}
	ready();
	shared->stop = 1;
	for (int i = 0; i < WORKERS; i++)
		shared->wrong += ended(workers[i]) != 40;
	snprintf(line, sizeof(line), "%d lives, %d wrong", shared->lives,
		 shared->wrong);
	say(line);
	return shared->wrong != 0;
}
