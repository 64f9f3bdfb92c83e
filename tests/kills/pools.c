/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that block all signals and make two calls each MS milliseconds, until
 * there is a line of input. KIND is
 *
 *	pool	THREADS threads that block all signals themselves
 *	timer	the threads in which the C library calls the function of a
 *		timer with SIGEV_THREAD, every MS milliseconds
 *	aio	the threads in which the C library reports the end of an
 *		asynchronous read with SIGEV_THREAD
 *	spawn	no threads but children of posix_spawn(), which block all
 *		signals until their exec, in THREADS threads. The program
 *		aborts if a child does not exec.
 *
 *	pools KIND MS THREADS
 *
 * LDFLAGS: -pthread -lrt
 */
#define _GNU_SOURCE
#include "subject.h"
#include <aio.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

static _Atomic long calls, wrong;
static struct timespec pause_time;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x + 1;
}

static void
two_calls(void)
{
	for (int i = 0; i < 2; i++) {
		wrong += f(i) != i + 1;
		calls++;
	}
}

static void *
worker(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, 0);
	for (;;) {
		two_calls();
		nanosleep(&pause_time, 0);
	}
	return unused;
}

static void *
spawner(void *unused)
{
	static char *const arguments[] = { "true", NULL };
	static char *const environment[] = { NULL };

	for (;;) {
		int status;
		pid_t pid;

		two_calls();
		if (posix_spawn(&pid, "/bin/true", 0, 0, arguments,
				environment) != 0 ||
		    waitpid(pid, &status, 0) != pid || status != 0)
			abort();
		if (pause_time.tv_sec || pause_time.tv_nsec)
			nanosleep(&pause_time, 0);
	}
	return unused;
}

static void
start_pool(int threads, void *(*run)(void *))
{
	for (int i = 0; i < threads; i++) {
		pthread_t thread;

		pthread_create(&thread, 0, run, 0);
	}
}

static void
expired(union sigval unused)
{
	(void)unused;
	two_calls();
}

static void
start_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
				  .sigev_notify_function = expired };
	struct itimerspec each = { pause_time, pause_time };
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &each, 0);
}

static void *
reader(void *unused)
{
	static char bytes[64];

	for (;;) {
		struct aiocb block = {
			.aio_fildes = open("/proc/self/exe", O_RDONLY),
			.aio_buf = bytes,
			.aio_nbytes = sizeof(bytes),
			.aio_sigevent = { .sigev_notify = SIGEV_THREAD,
					  .sigev_notify_function = expired },
		};
		const struct timespec moment = { .tv_nsec = 200000 };
		long before = calls;

		aio_read(&block);
		while (calls < before + 2)
			nanosleep(&moment, 0);
		aio_return(&block);
		close(block.aio_fildes);
		nanosleep(&pause_time, 0);
	}
	return unused;
}

int
main(int argc, char **argv)
{
	int ms = argc == 4 ? atoi(argv[2]) : 0;
	pthread_t thread;

	pause_time.tv_sec = ms / 1000;
	pause_time.tv_nsec = ms % 1000 * 1000000L;
	if (!strcmp(argv[1], "pool"))
		start_pool(atoi(argv[3]), worker);
	else if (!strcmp(argv[1], "spawn"))
		start_pool(atoi(argv[3]), spawner);
	else if (!strcmp(argv[1], "timer"))
		start_timer();
	else
		pthread_create(&thread, 0, reader, 0);
	ready();
	say(wrong ? "wrong" : "right");
	return wrong != 0;
}
