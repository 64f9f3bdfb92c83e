/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other end of a network process. A test has one work at a time; Check runs
 * each test in a process of its own. */
#include "tests/unit/network/peer.h"

#include "base/err.h"
#include "network/address.h"
#include "network/apart.h"
#include "tests/unit/checks.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The size of the test's receive buffers in the kernel. Because they are small,
 * a long answer cannot be sent at once. */
#define RECEIVED_MOST 65536

static pthread_t thread;
static int life = -1; /* the test's end of the pipe APART_LIFE */

static struct {
	void (*run)(void *argument);
	void *argument;
} work;

void
peer_reserve(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = APART_LIFE; fd <= APART_GIVEN; fd++) {
		if (fd != null)
			dup3(null, fd, O_CLOEXEC);
	}
	if (null > APART_GIVEN)
		close(null);
}

/* ---- sockets ---------------------------------------------------------------
 */

static struct sockaddr_in
loopback(unsigned port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr =
					     htonl(INADDR_LOOPBACK) };
}

int
peer_socket(unsigned *ret_port, bool listens)
{
	struct sockaddr_in at = loopback(0);
	socklen_t length = sizeof(at);
	struct address address = { .length = sizeof(at) };
	struct err err = { "" };
	int fd;

	memcpy(&address.at, &at, sizeof(at));
	if (listens) {
		ck_assert_msg(address_listen(&address, "a free port", &fd,
					     &err) == 0,
			      "%s", err.text);
	} else {
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		ck_assert_int_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)),
				 0);
	}
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&at, &length), 0);
	*ret_port = ntohs(at.sin_port);
	return fd;
}

int
peer_connect(unsigned port)
{
	struct sockaddr_in at = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int room = RECEIVED_MOST;

	ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room,
				    sizeof(room)),
			 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	return fd;
}

void
peer_send(int fd, const char *text)
{
	size_t length = strlen(text);

	ck_assert_int_eq(send(fd, text, length, MSG_NOSIGNAL), (ssize_t)length);
}

char *
peer_receive(int fd)
{
	struct str text = { 0 };
	char bytes[65536];
	ssize_t n;

	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		str_add_bytes(&text, bytes, (size_t)n);
	ck_assert_msg(n == 0, "%s", strerror(errno));
	close(fd);
	return str_take(&text);
}

bool
peer_waits(int fd)
{
	char byte;

	return recv(fd, &byte, 1, MSG_DONTWAIT | MSG_PEEK) < 0 &&
	       errno == EAGAIN;
}

/* ---- the work --------------------------------------------------------------
 */

static void *
run(void *unused)
{
	work.run(work.argument);
	return unused;
}

void
peer_start(void (*to_run)(void *argument), void *argument, int given)
{
	int ends[2];

	work.run = to_run;
	work.argument = argument;
	ck_assert_int_eq(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
	ck_assert_int_eq(dup3(ends[0], APART_LIFE, O_CLOEXEC), APART_LIFE);
	close(ends[0]);
	life = ends[1];
	if (given >= 0) {
		ck_assert_int_eq(dup3(given, APART_GIVEN, O_CLOEXEC),
				 APART_GIVEN);
		close(given);
	}
	ck_assert_int_eq(pthread_create(&thread, NULL, run, NULL), 0);
}

void
peer_wake(void)
{
	/* If the pipe is full, the bytes in it are enough to wake the work. */
	if (life >= 0 && write(life, "", 1) < 0)
		ck_assert_int_eq(errno, EAGAIN);
}

void
peer_end_xtrace(void)
{
	close(life);
	life = -1;
}

bool
peer_returned(void)
{
	return pthread_tryjoin_np(thread, NULL) == 0;
}

void
peer_stop(void)
{
	peer_end_xtrace();
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}
