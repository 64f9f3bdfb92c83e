/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that block, each in another system call and under another name, and
 * one that runs. At a line of input they continue, and each writes the result
 * of its call. Their frames can only be left by the frame pointer.
 *
 * CFLAGS: -D_GNU_SOURCE -O0 -fno-omit-frame-pointer -pthread
 * LDFLAGS: -pthread
 */
#include <subject.h>

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>

static int pipes[2], sockets[2], event, epoll;
static atomic_int word, stop, spun;

NOINLINE long
in_read(void)
{
	char byte;

	return syscall(SYS_read, pipes[0], &byte, 1);
}

/* Receives without a time limit. With one, the kernel would not restart the
 * call after a stop. */
NOINLINE long
in_recv(void)
{
	char byte;

	return syscall(SYS_recvfrom, sockets[0], &byte, 1, 0, NULL, NULL);
}

NOINLINE long
in_epoll(void)
{
	struct epoll_event got;

	return syscall(SYS_epoll_wait, epoll, &got, 1, 1000000);
}

NOINLINE long
in_futex(void)
{
	long r = 0;

	while (r == 0 && !atomic_load(&word))
		r = syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	return r == 0 || errno == EAGAIN ? 1 : r;
}

NOINLINE long
in_circles(void)
{
	while (!atomic_load(&stop))
		atomic_fetch_add(&spun, 1);
	return 1;
}

static const struct {
	const char *name;
	long (*function)(void);
} kinds[] = {
	{ "read", in_read },   { "recv", in_recv },	  { "epoll", in_epoll },
	{ "futex", in_futex }, { "circles", in_circles },
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

NOINLINE long
begin(int i)
{
	long r = kinds[i].function();

	return r == 1 ? 0 : errno;
}

static void *
thread(void *number)
{
	int i = (int)(long)number;
	long r;

	pthread_setname_np(pthread_self(), kinds[i].name);
	r = begin(i);
	return (void *)r;
}

int
main(void)
{
	struct timeval limit = { .tv_sec = 1000 };
	struct epoll_event wanted = { .events = EPOLLIN };
	pthread_t threads[KINDS];
	void *result;
	int failed = 0;

	if (pipe(pipes) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		return 97;
	setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	event = eventfd(0, 0);
	epoll = epoll_create1(0);
	epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted);
	for (unsigned long i = 0; i < KINDS; i++)
		pthread_create(&threads[i], NULL, thread, (void *)i);
	ready();
	atomic_store(&stop, 1);
	atomic_store(&word, 1);
	syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	if (write(pipes[1], "x", 1) != 1 || write(sockets[1], "x", 1) != 1 ||
	    eventfd_write(event, 1))
		return 96;
	for (unsigned i = 0; i < KINDS; i++) {
		pthread_join(threads[i], &result);
		if (result) {
			printf("%s: %s\n", kinds[i].name,
			       strerror((int)(long)result));
			failed++;
		}
	}
	return failed;
}
