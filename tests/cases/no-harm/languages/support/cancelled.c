/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Threads that are cancelled within traced calls. See languages.py.
 *
 * LDFLAGS: -pthread
 */
#include "marks.h"
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static int pipes[2];
static long cleaned;
static atomic_int inside;

static void
clean(void *argument)
{
	(void)argument;
	cleaned++;
}

NOINLINE int
inner(int x)
{
	char byte;

	pthread_cleanup_push(clean, 0);
	inside = 1;
	x += (int)read(pipes[0], &byte, 1);
	pthread_cleanup_pop(0);
	return x;
}

static void *
run(void *argument)
{
	return (char *)argument + inner(1);
}

int
main(int argc, char **argv)
{
	struct marks marks = marks_of(argc, argv);
	long cancelled = 0;

	if (pipe(pipes) < 0)
		return 1;
	for (int i = 1; marks_go_on(&marks, i); i++) {
		pthread_t thread;
		void *result;

		pthread_create(&thread, 0, run, 0);
		while (!inside)
			sched_yield();
		inside = 0;
		pthread_cancel(thread);
		pthread_join(thread, &result);
		cancelled += result == PTHREAD_CANCELED;
	}
	printf("%ld cancelled, %ld cleaned\n", cancelled, cleaned);
	return 3;
}
