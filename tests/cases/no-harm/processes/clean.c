/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A forked child that is not followed has its text, mappings and signals as it
 * would untraced. So has a child that a thread forks within a traced call while
 * signals come all the time.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -x f+g+fork+_Fork %t
 * CONTAINS:
 *   %any f(%any
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -x f+g+fork+_Fork -p %p
 * ATTACH:
 * CONTAINS:
 *   %any f(%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* The number of executable mappings without a file. (The vdso has a name.) */
static int
strange_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char row[512];
	int count = 0;

	while (fgets(row, sizeof(row), maps)) {
		const char *permissions = strchr(row, ' ') + 1;

		if (permissions[2] == 'x' && !strchr(row, '/') &&
		    !strchr(row, '['))
			count++;
	}
	fclose(maps);
	return count;
}

/* The number of bytes in executable mappings that differ from their file. */
static int
changed_bytes(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char row[512], path[256];
	unsigned long start, end, offset;
	int count = 0;

	while (fgets(row, sizeof(row), maps)) {
		const unsigned char *text;
		unsigned char *file;
		int fd;

		if (sscanf(row, "%lx-%lx r-xp %lx %*s %*s %255s", &start, &end,
			   &offset, path) != 4 ||
		    path[0] != '/')
			continue;
		text = (unsigned char *)start;
		file = malloc(end - start);
		fd = open(path, O_RDONLY);
		if (pread(fd, file, end - start, (off_t)offset) < 0)
			return -1;
		close(fd);
		for (unsigned long i = 0; i < end - start; i++)
			count += text[i] != file[i];
		free(file);
	}
	fclose(maps);
	return count;
}

static int
child(void)
{
	struct sigaction action;
	sigset_t blocked;

	sigaction(SIGTRAP, 0, &action);
	sigprocmask(0, 0, &blocked);
	if (action.sa_handler != SIG_DFL || action.sa_flags)
		return 2;
	if (sigismember(&blocked, SIGTRAP) || sigismember(&blocked, SIGUSR1))
		return 3;
	if (strange_mappings())
		return 4;
	if (changed_bytes())
		return 5;
	return f(40);
}

NOINLINE int
g(int x)
{
	pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(child());
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	OPAQUE(x);
	return WEXITSTATUS(status) == 40 ? x : -WEXITSTATUS(status) - 2;
}

static void
tick(int number)
{
	(void)number;
	f(2);
}

static void *
forks(void *result)
{
	int *r = result;

	for (int i = 0; i < 10 && !*r; i++)
		if (g(i) != i)
			*r = 1;
	return 0;
}

int
main(void)
{
	struct itimerval time = { { 0, 2000 }, { 0, 2000 } };
	struct sigaction action = { .sa_handler = tick,
				    .sa_flags = SA_RESTART };
	pthread_t threads[3];
	int results[3] = { 0 };

	ready();
	for (int i = 0; i < 10; i++)
		if (g(i) != i)
			return 10 - g(i);
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &time, 0);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, forks, &results[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	return results[0] | results[1] | results[2];
}
