/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that work for some 100 us and then block for as long, each in another
 * system call, so that a tracer which stops a thread that runs often finds that
 * it has just begun to block. Each call is right if it ends by its time limit.
 * After a line of input, the program prints for each call how often it ended in
 * another way, and ends.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <time.h>

static atomic_bool over;
static int epoll, pair[2], semaphores;
static const struct timespec brief = { 0, 100000 };

static int
in_epoll(void)
{
	struct epoll_event event;

	return epoll_wait(epoll, &event, 1, 1) == 0;
}

static int
in_nanosleep(void)
{
	return nanosleep(&brief, NULL) == 0;
}

static int
in_select(void)
{
	struct timeval limit = { 0, 100 };

	return select(0, NULL, NULL, NULL, &limit) == 0;
}

static int
in_pselect(void)
{
	return pselect(0, NULL, NULL, NULL, &brief, NULL) == 0;
}

static int
in_ppoll(void)
{
	struct pollfd one = { .fd = pair[0], .events = POLLIN };

	return ppoll(&one, 1, &brief, NULL) == 0;
}

static int
in_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	return sigtimedwait(&set, NULL, &brief) < 0 && errno == EAGAIN;
}

static int
in_recv(void)
{
	char byte;

	return recv(pair[0], &byte, 1, 0) < 0 && errno == EAGAIN;
}

static int
in_semtimedop(void)
{
	struct sembuf one = { 0, -1, 0 };

	return semtimedop(semaphores, &one, 1, &brief) < 0 && errno == EAGAIN;
}

static int
in_sem_timedwait(void)
{
	static sem_t semaphore;
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += brief.tv_nsec;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return sem_timedwait(&semaphore, &until) < 0 && errno == ETIMEDOUT;
}

static struct kind {
	const char *name;
	int (*call)(void);
	unsigned long made, wrong;
} kinds[] = {
	{ "epoll_wait", in_epoll, 0, 0 },
	{ "nanosleep", in_nanosleep, 0, 0 },
	{ "select", in_select, 0, 0 },
	{ "pselect", in_pselect, 0, 0 },
	{ "ppoll", in_ppoll, 0, 0 },
	{ "sigtimedwait", in_sigtimedwait, 0, 0 },
	{ "recv", in_recv, 0, 0 },
	{ "semtimedop", in_semtimedop, 0, 0 },
	{ "sem_timedwait", in_sem_timedwait, 0, 0 },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static NOINLINE void
work(void)
{
	volatile int sum = 0;

	for (int i = 0; i < 50000; i++)
		sum = sum + i;
}

static void *
race(void *argument)
{
	struct kind *kind = argument;

	while (!over) {
		work();
		kind->made++;
		kind->wrong += !kind->call();
	}
	return NULL;
}

int
main(void)
{
	struct timeval limit = { 0, 100 };
	pthread_t threads[KINDS];
	sigset_t set;
	char line[8];

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	epoll = epoll_create1(0);
	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	semaphores = semget(IPC_PRIVATE, 1, 0600);
	for (int i = 0; i < KINDS; i++)
		pthread_create(&threads[i], NULL, race, &kinds[i]);
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	over = true;
	for (int i = 0; i < KINDS; i++)
		pthread_join(threads[i], NULL);
	semctl(semaphores, 0, IPC_RMID);
	for (int i = 0; i < KINDS; i++)
		printf("%s: %s, %lu wrong\n", kinds[i].name,
		       kinds[i].made > 0 ? "made" : "never made",
		       kinds[i].wrong);
	return 0;
}
