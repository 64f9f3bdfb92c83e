/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first thread makes 12 blocks of 1000 bytes and ends. Another thread waits
 * for that, makes 30 more, and ends the process by exit(), or with an argument
 * by its own end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *volatile kept[42];
static pthread_t first;
static int alone;

static void
make(int from, int end)
{
	for (int i = from; i < end; i++) {
		kept[i] = malloc(1000);
		memset(kept[i], 1, 1000);
	}
}

static void *
later(void *user)
{
	pthread_join(first, NULL);
	make(12, 42);
	if (!alone)
		exit(3);
	syscall(SYS_exit, 0);
	return user;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	(void)argv;
	alone = argc > 1;
	first = pthread_self();
	make(0, 12);
	if (pthread_create(&thread, NULL, later, NULL) != 0)
		return 1;
	pthread_exit(NULL);
}
