/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of calls on sockets. */
#ifndef BLOCKED_KINDS_SOCKETS_H
#define BLOCKED_KINDS_SOCKETS_H

#include "spot.h"

static long
in_recv(struct spot *s)
{
	return recv(s->fd[0], s->bytes, 10, 0);
}

static long
in_recvmsg(struct spot *s)
{
	struct iovec part = { s->bytes, 10 };
	struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };

	return recvmsg(s->fd[0], &message, 0);
}

static long
in_recvmmsg(struct spot *s)
{
	struct iovec part = { s->bytes, 10 };
	struct mmsghdr message = { .msg_hdr = { .msg_iov = &part,
						.msg_iovlen = 1 } };

	return recvmmsg(s->fd[0], &message, 1, 0, 0);
}

static void
make_half(struct spot *s)
{
	make_pair(s);
	feed_pipe(s);
}

static long
in_recv_all(struct spot *s)
{
	return recv(s->fd[0], s->bytes, 2, MSG_WAITALL);
}

static long
in_send(struct spot *s)
{
	return send(s->fd[0], s->bytes, 4096, 0);
}

static void
make_datagram(struct spot *s)
{
	struct sockaddr_in address = { .sin_family = AF_INET };
	socklen_t size = sizeof(address);

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd[0] = socket(AF_INET, SOCK_DGRAM, 0);
	must(bind(s->fd[0], (void *)&address, size) == 0, "bind");
	getsockname(s->fd[0], (void *)&address, &size);
	s->fd[1] = socket(AF_INET, SOCK_DGRAM, 0);
	must(connect(s->fd[1], (void *)&address, size) == 0, "connect");
}

static long
in_recvfrom(struct spot *s)
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	return recvfrom(s->fd[0], s->bytes, 10, 0, (void *)&address, &size);
}

static long
in_accept(struct spot *s)
{
	return accept(s->fd[0], 0, 0) >= 0 ? 0 : -1;
}

static long
in_connect(struct spot *s)
{
	return connect(s->fd[1], (void *)s->bytes, sizeof(struct sockaddr_un));
}

/*
 * A socket that is closed with unsent data. Its peer reads the data when it is
 * woken.
 */
static void
make_linger(struct spot *s)
{
	struct linger linger = { 1, 600 };
	int listener, size = 4096;
	struct sockaddr_in address = tcp_listener(&listener);

	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	s->fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	must(connect(s->fd[0], (void *)&address, sizeof(address)) == 0,
	     "connect");
	s->fd[1] = accept(listener, 0, 0);
	fill(s->fd[0]);
	setsockopt(s->fd[0], SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static long
in_close(struct spot *s)
{
	return close(s->fd[0]);
}

static void
read_to_end(struct spot *s)
{
	while (read(s->fd[1], s->bytes, sizeof(s->bytes)) > 0)
		;
}

#endif
