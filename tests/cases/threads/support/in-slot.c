/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads that call f all the time. Nearly all of their time is spent in
 * its first instruction, which a trap displaces. It can be
 * interrupted in the middle, and then continues.
 *
 * LDFLAGS: -pthread
 */
#include "subject.h"
#include <pthread.h>
#include <stdlib.h>

#define THREADS 2
#define SIZE ((size_t)64 << 20)

static volatile int stop;

/* Fills count bytes at rdi with al. */
__asm__(".text\n"
	".globl f\n"
	".type f, @function\n"
	"f: rep stosb\n"
	"ret\n"
	".size f, . - f\n");

static void *
run(void *bytes)
{
	while (!stop) {
		void *to = bytes;
		size_t count = SIZE;

		__asm__ volatile("call f"
				 : "+D"(to), "+c"(count)
				 : "a"(1)
				 : "memory");
		if (count || to != (char *)bytes + SIZE)
			exit(2);
	}
	return 0;
}

int
main(void)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], 0, run, malloc(SIZE));
	ready();
	stop = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], 0);
	say("right");
	return 0;
}
