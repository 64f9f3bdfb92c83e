/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The peer of a connected socket: the other end, by its address. */
#ifndef PROCESS_PEER_H
#define PROCESS_PEER_H

#include "base/attr.h"

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>

/* "@" and the name of an abstract socket fit, with the NUL. */
#define PEER_ADDRESS_MOST (sizeof(struct sockaddr_un) + 1)

struct peer {
	/* "127.0.0.1", "::1", "/run/mysqld/mysqld.sock", "@name" */
	char address[PEER_ADDRESS_MOST];
	unsigned port; /* 0: the socket is no internet socket */
};

/* Asks the kernel for the peer of the thread's socket fd. xtrace shares the
 * socket meanwhile. -errno; -ENODATA if the peer has no name. */
must_check int peer_read(pid_t tid, int fd, struct peer *ret_peer);
/* As peer_read(), from an address that getpeername(2) has returned. */
must_check int peer_of(const struct sockaddr *address, socklen_t length,
		       struct peer *ret_peer);

#endif
