/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * blocked MS: threads sleep in system calls of many kinds for so many
 * milliseconds. Each thread prints how its call ended and whether it ended too
 * early. One of them calls f, so that there is something to trace.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

static struct timespec span;
static struct timeval span_us;
static int span_ms;
static int pipes[2], sockets[2];
static pthread_barrier_t all;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static long
in_nanosleep(void)
{
	return nanosleep(&span, 0);
}

static long
in_clock_nanosleep(void)
{
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &span, 0);
}

static long
in_poll(void)
{
	struct pollfd one = { .fd = pipes[0], .events = POLLIN };

	return poll(&one, 1, span_ms);
}

static long
in_select(void)
{
	struct timeval time = span_us;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(pipes[0], &set);
	return select(pipes[0] + 1, &set, 0, 0, &time);
}

static long
in_epoll(void)
{
	struct epoll_event event = { .events = EPOLLIN }, out;
	int epoll = epoll_create1(0);

	epoll_ctl(epoll, EPOLL_CTL_ADD, pipes[0], &event);
	return epoll_wait(epoll, &out, 1, span_ms);
}

static long
in_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	return sigtimedwait(&set, 0, &span);
}

static long
in_semtimedop(void)
{
	struct sembuf wait = { 0, -1, 0 };
	int set = semget(IPC_PRIVATE, 1, 0600);
	long result = semtimedop(set, &wait, 1, &span);
	int error = errno;

	semctl(set, 0, IPC_RMID);
	errno = error;
	return result;
}

static long
in_recv(void)
{
	char byte;

	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &span_us,
		   sizeof(span_us));
	return recv(sockets[0], &byte, 1, 0);
}

static long
in_futex(void)
{
	int word = 1;

	return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, &span, 0, 0);
}

static long
in_cond_wait(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += span.tv_sec;
	until.tv_nsec += span.tv_nsec;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&mutex);
	errno = pthread_cond_timedwait(&cond, &mutex, &until);
	return errno ? -1 : 0;
}

static long
in_read(void)
{
	char byte;

	return read(pipes[0], &byte, 1);
}

static int
ms_since(const struct timespec *began)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int)((now.tv_sec - began->tv_sec) * 1000 +
		     (now.tv_nsec - began->tv_nsec) / 1000000);
}

static long
in_calls(void)
{
	const struct timespec pause = { 0, 5000000 };
	struct timespec began;

	clock_gettime(CLOCK_MONOTONIC, &began);
	for (int i = 0; ms_since(&began) < span_ms - 50; i++) {
		f(i);
		nanosleep(&pause, 0);
	}
	return 0;
}

static const struct kind {
	const char *name;
	long (*run)(void);
	long result;
	int error;
} kinds[] = {
	{ "nanosleep", in_nanosleep, 0, 0 },
	{ "clock_nanosleep", in_clock_nanosleep, 0, 0 },
	{ "poll", in_poll, 0, 0 },
	{ "select", in_select, 0, 0 },
	{ "epoll_wait", in_epoll, 0, 0 },
	{ "sigtimedwait", in_sigtimedwait, -1, EAGAIN },
	{ "semtimedop", in_semtimedop, -1, EAGAIN },
	{ "recv", in_recv, -1, EAGAIN },
	{ "futex", in_futex, -1, ETIMEDOUT },
	{ "cond_wait", in_cond_wait, -1, ETIMEDOUT },
	{ "read", in_read, 1, 0 },
	{ "calls", in_calls, 0, 0 },
};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static void *
run(void *argument)
{
	const struct kind *kind = argument;
	struct timespec began;
	char line[128];
	long result;
	int error, took;

	pthread_barrier_wait(&all);
	clock_gettime(CLOCK_MONOTONIC, &began);
	errno = 0;
	result = kind->run();
	error = result < 0 ? errno : 0;
	took = ms_since(&began);
	snprintf(line, sizeof(line), "%s %s %s: %ld errno %d", kind->name,
		 result == kind->result && error == kind->error ? "right" :
								  "WRONG",
		 took >= span_ms - 100 ? "full" : "EARLY", result, error);
	say(line);
	return 0;
}

int
main(int argc, char **argv)
{
	pthread_t threads[KINDS], *reader = &threads[KINDS - 2];

	span_ms = argc > 1 ? atoi(argv[1]) : 1500;
	span.tv_sec = span_us.tv_sec = span_ms / 1000;
	span_us.tv_usec = span_ms % 1000 * 1000;
	span.tv_nsec = span_us.tv_usec * 1000;
	if (pipe(pipes) < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) < 0)
		return 1;
	pthread_barrier_init(&all, 0, KINDS + 1);
	for (size_t i = 0; i < KINDS; i++)
		pthread_create(&threads[i], 0, run, (void *)&kinds[i]);
	pthread_barrier_wait(&all);
	say("ready");
	for (size_t i = 0; i < KINDS; i++)
		if (&threads[i] != reader)
			pthread_join(threads[i], 0);
	if (write(pipes[1], "x", 1) != 1)
		return 2;
	pthread_join(*reader, 0);
	return 0;
}
