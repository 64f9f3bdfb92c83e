/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three threads that block in calls: one that can be restarted unseen, and two
 * that would fail with EINTR. For each line of its input all of them wake up,
 * make a call of their own, and block again. A call that fails ends the program
 * with status 1.
 *
 * LDFLAGS: -pthread
 * VARIANT: wide
 * VARIANT: narrow -m32
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

static int ends[2], pairs[2][2], done[2];

static void
woken(long got, long number)
{
	if (got < 0)
		_exit(1);
	syscall(number, 0);
	if (write(done[1], "", 1) != 1)
		_exit(1);
}

static void *
reads(void *unused)
{
	char c;

	for (;;)
		woken(read(ends[0], &c, 1), SYS_getppid);
	return unused;
}

/* With a time limit, a signal ends recv() with EINTR (signal(7)). */
static void *
receives(void *unused)
{
	const struct timeval limit = { .tv_sec = 600 };
	char c;

	setsockopt(pairs[0][0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	for (;;)
		woken(recv(pairs[0][0], &c, 1, 0), SYS_getpgid);
	return unused;
}

static void *
polls(void *unused)
{
	struct epoll_event event = { .events = EPOLLIN };
	int epoll = epoll_create1(0);
	char c;

	epoll_ctl(epoll, EPOLL_CTL_ADD, pairs[1][0], &event);
	for (;;) {
		long got = epoll_wait(epoll, &event, 1, 600000);

		if (got == 1)
			got = read(pairs[1][0], &c, 1);
		woken(got, SYS_getsid);
	}
	return unused;
}

int
main(void)
{
	pthread_t thread;
	char line[16];

	if (pipe(ends) < 0 || pipe(done) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[0]) < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[1]) < 0)
		return 1;
	pthread_create(&thread, NULL, reads, NULL);
	pthread_create(&thread, NULL, receives, NULL);
	pthread_create(&thread, NULL, polls, NULL);
	puts("ready");
	fflush(stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (write(ends[1], "", 1) != 1 ||
		    write(pairs[0][1], "", 1) != 1 ||
		    write(pairs[1][1], "", 1) != 1)
			return 1;
		for (int i = 0; i < 3; i++)
			if (read(done[0], line, 1) != 1)
				return 1;
		puts("done");
		fflush(stdout);
	}
	return 7;
}
