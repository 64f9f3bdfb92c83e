/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all kinds of blocking calls use: a spot for each call, the time limit,
 * and functions that prepare a call to block, and that wake its thread.
 */
#ifndef BLOCKED_SPOT_H
#define BLOCKED_SPOT_H

#include "subject.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>

static struct timespec span = { 2, 0 };
static struct timeval span_us;
static int span_ms;
static atomic_bool woken;

/*
 * The descriptors, buffers and ids that a kind's call works with. Each thread
 * has its own.
 */
struct spot {
	int fd[3];
	int word;
	pid_t child;
	pthread_t thread;
	int id;
	void *limit; /* a struct timespec in memory that cannot be written */
	char bytes[256 * 1024];
};

static void
must(int good, const char *what)
{
	if (good)
		return;
	perror(what);
	exit(98);
}

static struct timespec
after_span(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	now.tv_sec += span.tv_sec;
	return now;
}

/* ---- preparing and waking ------------------------------------------------ */

static void
make_pipe(struct spot *s)
{
	must(pipe(s->fd) == 0, "pipe");
}

static void
feed_pipe(struct spot *s)
{
	must(write(s->fd[1], "x", 1) == 1, "write");
}

static void
fill(int fd)
{
	static const char block[4096];

	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, block, sizeof(block)) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

static void
make_full_pipe(struct spot *s)
{
	make_pipe(s);
	fill(s->fd[1]);
}

static void
drain(int fd, size_t most)
{
	static char sink[65536];

	while (most) {
		ssize_t n = read(fd, sink,
				 most < sizeof(sink) ? most : sizeof(sink));

		must(n > 0, "drain");
		most -= (size_t)n;
	}
}

static void
empty_pipe(struct spot *s)
{
	drain(s->fd[0], 65536);
}

static void
make_pair(struct spot *s)
{
	must(socketpair(AF_UNIX, SOCK_STREAM, 0, s->fd) == 0, "socketpair");
}

static void
limit_time(int fd)
{
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &span_us, sizeof(span_us));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &span_us, sizeof(span_us));
}

static void
make_timed_pair(struct spot *s)
{
	make_pair(s);
	limit_time(s->fd[0]);
}

static void
make_full_pair(struct spot *s)
{
	make_pair(s);
	fill(s->fd[0]);
}

static void
make_timed_full_pair(struct spot *s)
{
	make_full_pair(s);
	limit_time(s->fd[0]);
}

static void
drain_pair(struct spot *s)
{
	fcntl(s->fd[1], F_SETFL, O_NONBLOCK);
	while (read(s->fd[1], s->bytes + 4096, 65536) > 0)
		;
}

static struct sockaddr_in
tcp_listener(int *ret_fd)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	*ret_fd = socket(AF_INET, SOCK_STREAM, 0);
	must(bind(*ret_fd, (void *)&address, size) == 0, "bind");
	must(listen(*ret_fd, 5) == 0, "listen");
	getsockname(*ret_fd, (void *)&address, &size);
	return address;
}

static void
make_listener(struct spot *s)
{
	tcp_listener(&s->fd[0]);
}

static void
make_timed_listener(struct spot *s)
{
	tcp_listener(&s->fd[0]);
	limit_time(s->fd[0]);
}

static void
connect_to(struct spot *s)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	getsockname(s->fd[0], (void *)&address, &size);
	s->fd[1] = socket(AF_INET, SOCK_STREAM, 0);
	must(connect(s->fd[1], (void *)&address, size) == 0, "connect");
}

/* Makes a Unix socket that listens, and fills its queue. */
static void
make_full_listener(struct spot *s)
{
	struct sockaddr_un *address = (void *)s->bytes;
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	address->sun_family = AF_UNIX;
	snprintf(address->sun_path, sizeof(address->sun_path), "socket.%d",
		 s->id);
	unlink(address->sun_path);
	s->fd[0] = socket(AF_UNIX, SOCK_STREAM, 0);
	must(bind(s->fd[0], (void *)address, sizeof(*address)) == 0, "bind");
	must(listen(s->fd[0], 0) == 0, "listen");
	must(connect(fd, (void *)address, sizeof(*address)) == 0, "connect");
	s->fd[1] = socket(AF_UNIX, SOCK_STREAM, 0);
}

static void
make_timed_full_listener(struct spot *s)
{
	make_full_listener(s);
	limit_time(s->fd[1]);
}

static void
accept_one(struct spot *s)
{
	must(accept(s->fd[0], 0, 0) >= 0, "accept");
}

/*
 * Forks a child that sends no signal when it ends. SIGCHLD might be delivered
 * to any of the threads; ignored.c tests what such signals do.
 */
static pid_t
quiet_fork(void)
{
	return (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
}

/* Makes a child, which ends when this program wakes it. */
static void
make_child(struct spot *s)
{
	make_pipe(s);
	s->child = quiet_fork();
	if (!s->child)
		_exit(read(s->fd[0], s->bytes, 1) == 1 ? 7 : 8);
}

static void
handler(int number)
{
	(void)number;
}

static void
interrupt(struct spot *s)
{
	pthread_kill(s->thread, SIGUSR1);
}

static void
signal_it(struct spot *s)
{
	pthread_kill(s->thread, SIGRTMIN);
}

#endif
