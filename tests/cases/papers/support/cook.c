// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that has something to find for each recipe of the manual.
 *
 * CFLAGS: -O0
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool waiting;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static char *
keep(size_t size)
{
	return malloc(size);
}

static void *
wait_for_mutex(void *unused)
{
	(void)unused;
	waiting = true;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

/* Calls puts() with each line of the input. */
static int
answer(void)
{
	char line[64];

	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		puts(line);
		fflush(stdout);
	}
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	if (argc > 1)
		return answer();
	free(keep(4001));
	if (!keep(4002))
		return 1;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, wait_for_mutex, NULL);
	while (!waiting)
		usleep(1000);
	usleep(300000);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return open("/no/such/file", O_RDONLY) >= 0;
}
