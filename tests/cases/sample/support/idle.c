/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts as many threads as the argument says, which are named "idle" and wait
 * until the program ends, and one thread that computes until the program reads
 * a line.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static atomic_bool over;
static atomic_int waiting;

static void *
wait_for_good(void *argument)
{
	prctl(PR_SET_NAME, "idle");
	waiting++;
	for (;;)
		pause();
	return argument;
}

static NOINLINE void *
work(void *argument)
{
	volatile unsigned long sum = 0;

	while (!over)
		sum = sum + 1;
	return argument;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 100;
	pthread_attr_t small;
	pthread_t thread;
	char line[8];

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, &small, wait_for_good, NULL))
			return 1;
	pthread_create(&thread, NULL, work, NULL);
	while (waiting < count)
		usleep(1000);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	over = true;
	pthread_join(thread, NULL);
	puts("over");
	return 0;
}
