/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread writes 4 MiB at a time to a socket, and another one reads. So the
 * writer blocks for a moment again and again within one call. A write that ends
 * early is counted, and its rest is written, as programs do. Ends when a line
 * is read.
 *
 * LDFLAGS: -lpthread
 */
#include "subject.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZE (4u << 20)

static char written[SIZE], received[SIZE / 4];
static unsigned long long sum;
static atomic_bool over;

static void *
drain(void *end)
{
	ssize_t count;

	while ((count = read(*(int *)end, received, sizeof(received))) > 0)
		sum += (unsigned long long)count;
	return NULL;
}

static void *
await_end(void *unused)
{
	await_line();
	over = true;
	return unused;
}

int
main(void)
{
	unsigned long long calls = 0, early = 0;
	pthread_t reader, waiter;
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0 ||
	    pthread_create(&reader, NULL, drain, &ends[1]) ||
	    pthread_create(&waiter, NULL, await_end, NULL))
		return 1;
	say("ready");
	for (; !over; calls++) {
		ssize_t count = write(ends[0], written, SIZE);

		early += count < (ssize_t)SIZE;
		for (size_t done = (size_t)count; count > 0 && done < SIZE;
		     done += (size_t)count)
			count = write(ends[0], written + done, SIZE - done);
	}
	close(ends[0]);
	pthread_join(reader, NULL);
	pthread_join(waiter, NULL);
	printf("%s, %s\n", early ? "early" : "whole",
	       sum == calls * SIZE ? "all received" : "lost");
	fprintf(stderr, "%llu of %llu\n", early, calls);
	return 3;
}
