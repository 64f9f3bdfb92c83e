/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads of a 32-bit program call functions until a line is read, and abort if
 * a result is wrong. The main thread sends itself SIGTRAPs and counts them in
 * its handler, which has SA_SIGINFO if there is an argument. Writes "pid N", and
 * at the end "its own" if all SIGTRAPs have arrived.
 *
 * CFLAGS: -m32 -O1 -pthread
 * VARIANT: dynamic -pie -fPIE
 * VARIANT: static -static
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 3

static volatile int stopped;
static volatile int trapped_count;

__attribute__((noinline)) int
f(int x)
{
	return x * 2 + 1;
}

__attribute__((noinline)) double
g(double x)
{
	return x / 2;
}

__attribute__((noinline)) void
trapped(int signal)
{
	if (signal != SIGTRAP)
		abort();
	trapped_count++;
}

static void
trapped_with_info(int signal, siginfo_t *info, void *context)
{
	if (!context || info->si_signo != SIGTRAP || info->si_pid != getpid())
		abort();
	trapped(signal);
}

static void *
run(void *unused)
{
	for (int i = 0; !stopped; i++) {
		if (f(i % 1000) != i % 1000 * 2 + 1 ||
		    g(i % 1000) != i % 1000 / 2.0)
			abort();
	}
	return unused;
}

int
main(int argc, char **argv)
{
	struct pollfd input = { .fd = 0, .events = POLLIN };
	struct sigaction action;
	pthread_t threads[THREADS];
	int sent = 0;

	(void)argv;
	memset(&action, 0, sizeof(action));
	action.sa_handler = trapped;
	if (argc > 1) {
		action.sa_sigaction = trapped_with_info;
		action.sa_flags = SA_SIGINFO;
	}
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	printf("pid %d\n", (int)getpid());
	fflush(stdout);
	while (poll(&input, 1, 1) == 0) {
		raise(SIGTRAP);
		sent++;
	}
	stopped = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	puts(sent == trapped_count ? "its own" : "lost");
	return 3;
}
