/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * getpeername(2) tells the address that a socket is connected to. /proc/PID/net
 * does not: for a UNIX socket it has the path of the server's end only.
 *
 * An address of IPv4 within IPv6 (RFC 4291, 2.5.5.2) is shown as one of IPv4.
 * The name of an abstract UNIX socket begins with a zero byte (unix(7)), which
 * is shown as @, as ss(8) does.
 */
#include "process/peer.h"

#include "base/fd.h"
#include "process/descriptor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

static int
take_ipv4(const struct sockaddr_in *address, struct peer *peer)
{
	peer->port = ntohs(address->sin_port);
	return inet_ntop(AF_INET, &address->sin_addr, peer->address,
			 sizeof(peer->address))
		       ? 0
		       : -EINVAL;
}

static int
take_ipv6(const struct sockaddr_in6 *address, struct peer *peer)
{
	const struct in6_addr *bytes = &address->sin6_addr;
	bool mapped = IN6_IS_ADDR_V4MAPPED(bytes);

	peer->port = ntohs(address->sin6_port);
	return inet_ntop(mapped ? AF_INET : AF_INET6,
			 mapped ? &bytes->s6_addr[12] : bytes->s6_addr,
			 peer->address, sizeof(peer->address))
		       ? 0
		       : -EINVAL;
}

static int
take_unix(const struct sockaddr_un *address, size_t length, struct peer *peer)
{
	size_t most = length - offsetof(struct sockaddr_un, sun_path);
	const char *path = address->sun_path;
	char *to = peer->address;

	if (length <= offsetof(struct sockaddr_un, sun_path))
		return -ENODATA;
	if (*path == '\0') {
		*to++ = '@';
		path++;
		most--;
	}
	most = strnlen(path, most);
	memcpy(to, path, most);
	to[most] = '\0';
	return *peer->address && most > 0 ? 0 : -ENODATA;
}

int
peer_of(const struct sockaddr *address, socklen_t length, struct peer *ret_peer)
{
	struct peer peer = { .port = 0 };
	int r;

	if (address->sa_family == AF_INET &&
	    length >= sizeof(struct sockaddr_in))
		r = take_ipv4((const void *)address, &peer);
	else if (address->sa_family == AF_INET6 &&
		 length >= sizeof(struct sockaddr_in6))
		r = take_ipv6((const void *)address, &peer);
	else if (address->sa_family == AF_UNIX &&
		 length <= sizeof(struct sockaddr_un))
		r = take_unix((const void *)address, length, &peer);
	else
		r = -EAFNOSUPPORT;
	if (r == 0)
		*ret_peer = peer;
	return r;
}

int
peer_read(pid_t tid, int fd, struct peer *ret_peer)
{
	union {
		struct sockaddr plain;
		struct sockaddr_storage room;
	} address = { .room.ss_family = AF_UNSPEC };
	socklen_t length = sizeof(address);
	cleanup(fd_closep) int own = descriptor_share(tid, fd);

	if (own < 0)
		return own;
	if (getpeername(own, &address.plain, &length) < 0)
		return -errno;
	return peer_of(&address.plain, length, ret_peer);
}
