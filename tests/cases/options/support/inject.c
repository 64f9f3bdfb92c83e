/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * For each line of its input, calls f() and getppid(), and writes both results
 * and how often another thread has run meanwhile. For the line "fork", a forked
 * child makes these calls. During the calls a second thread calls g() and
 * counts its own calls.
 */
#include "subject.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

NOINLINE int f(int x);
NOINLINE int g(int x);

static atomic_int count;
static atomic_bool busy;
static sem_t begin;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return 2 * x;
}

NOINLINE int
g(int x)
{
	OPAQUE(x);
	return x + 1;
}

static void *
work(void *argument)
{
	while (sem_wait(&begin) == 0) {
		while (busy) {
			count = g(count);
			usleep(1000);
		}
	}
	return argument;
}

static void
answer(const char *line)
{
	int before = count, result;
	long parent;

	busy = true;
	sem_post(&begin);
	result = f(1);
	parent = syscall(SYS_getppid);
	busy = false;
	printf("%s %d %s %d\n", line, result, parent > 0 ? "parent" : "none",
	       count - before);
	fflush(stdout);
}

int
main(void)
{
	char line[64];
	pthread_t thread;

	if (sem_init(&begin, 0, 0) < 0 ||
	    pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	printf("ready\n");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (strcmp(line, "fork") != 0) {
			answer(line);
		} else if (fork() == 0) {
			answer(line);
			_exit(0);
		} else {
			wait(NULL);
		}
	}
	return 0;
}
