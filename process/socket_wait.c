/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that decide what an interrupted wait returns (socket(7), tcp(7)):
 * - With SO_RCVTIMEO it is EINTR, not a restart.
 * - With SO_RCVLOWAT a read may have taken a part of what it waits for.
 * - An upper layer protocol (TLS in the kernel) reads in its own way.
 */
#include "process/socket_wait.h"

#include "base/attr.h"
#include "base/fd.h"
#include "process/descriptor.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/time.h>

static int
option(int fd, int level, int name)
{
	int value = -1;
	socklen_t length = sizeof(value);

	return getsockopt(fd, level, name, &value, &length) < 0 ? -1 : value;
}

static bool
is_known(int fd)
{
	const int protocol = option(fd, SOL_SOCKET, SO_PROTOCOL);

	switch (option(fd, SOL_SOCKET, SO_DOMAIN)) {
	case AF_UNIX:
		return true;
	case AF_INET:
	case AF_INET6:
		return protocol == IPPROTO_TCP || protocol == IPPROTO_UDP;
	default:
		return false;
	}
}

static bool
has_time_limit(int fd)
{
	struct timeval limit = { .tv_sec = 1 };
	socklen_t length = sizeof(limit);

	return getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &length) < 0 ||
	       limit.tv_sec != 0 || limit.tv_usec != 0;
}

static bool
has_upper_layer(int fd)
{
	char name[16] = "";
	socklen_t length = sizeof(name);

	return getsockopt(fd, IPPROTO_TCP, TCP_ULP, name, &length) == 0 &&
	       length > 0;
}

bool
socket_waits_plainly(pid_t tid, int fd)
{
	cleanup(fd_closep) int own = descriptor_share(tid, fd);

	return own >= 0 && is_known(own) && !has_time_limit(own) &&
	       option(own, SOL_SOCKET, SO_RCVLOWAT) == 1 &&
	       !has_upper_layer(own);
}
