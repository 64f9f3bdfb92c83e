/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls hot() all the time and cold() some times in a second, in two threads,
 * and checks their results. For each line of standard input it calls hot() many
 * times more and prints a line; at the line "fork", a child does the same. At
 * the end of its input it prints whether all results were right.
 *
 * CFLAGS: -O1 -pthread -fno-optimize-sibling-calls
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static atomic_bool over;
static atomic_ulong rounds;

__attribute__((noinline)) int
hot(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 3 + 1;
}

__attribute__((noinline)) int
cold(int x)
{
	__asm__ volatile("" ::: "memory");
	return hot(x) + 1;
}

static void
calls(int many)
{
	for (int i = 0; i < many; i++)
		if (hot(i) != i * 3 + 1)
			abort();
}

static void *
work(void *unused)
{
	struct timespec then, now;

	clock_gettime(CLOCK_MONOTONIC, &then);
	while (!over) {
		calls(100);
		rounds++;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec == then.tv_sec &&
		    now.tv_nsec - then.tv_nsec < 50000000)
			continue;
		then = now;
		if (cold(7) != 23)
			abort();
	}
	return unused;
}

static int
in_child(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		calls(2000000);
		if (cold(7) != 23)
			abort();
		_exit(5);
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		abort();
	return WEXITSTATUS(status);
}

int
main(void)
{
	pthread_t threads[2];
	char line[64];

	setbuf(stdout, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	printf("ready\n");
	while (fgets(line, sizeof(line), stdin)) {
		unsigned long before = rounds;

		if (!strcmp(line, "fork\n")) {
			printf("child %d\n", in_child());
			continue;
		}
		while (rounds < before + 20)
			usleep(1000);
		printf("round\n");
	}
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("all right\n");
	return 3;
}
