/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An address is a number, never a name: what listens must not depend on a name
 * server. An address of IPv6 is in brackets, because it has colons itself (RFC
 * 3986, 3.2.2).
 */
#include "network/address.h"

#include "base/parse.h"
#include "base/xmalloc.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define PORT_MOST 65535
#define WAITING_MOST 16

static int
parse_port(const char *text, uint64_t *ret_port)
{
	if (!*text || text[strspn(text, "0123456789")] || *text == '0')
		return -EINVAL;
	return parse_unsigned(text, PORT_MOST, ret_port);
}

static int
parse_numeric(const char *name, const char *port, struct address *ret_address)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
				  .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;

	if (getaddrinfo(name, port, &hints, &found) != 0)
		return -EINVAL;
	memcpy(&ret_address->at, found->ai_addr, found->ai_addrlen);
	ret_address->length = found->ai_addrlen;
	freeaddrinfo(found);
	return 0;
}

int
address_parse(const char *text, struct address *ret_address)
{
	const char *colon = strrchr(text, ':');
	const char *port = colon ? colon + 1 : text;
	size_t length = colon ? (size_t)(colon - text) : 0;
	cleanup(freep) char *name = NULL;
	uint64_t number;

	if (parse_port(port, &number) < 0)
		return -EINVAL;
	if (!colon)
		return parse_numeric("127.0.0.1", port, ret_address);
	if (length > 2 && text[0] == '[' && text[length - 1] == ']')
		name = xstrndup(text + 1, length - 2);
	else
		name = xstrndup(text, length);
	/* Without brackets, the last part of an IPv6 address would be taken for
	 * a port. */
	if ((strchr(name, ':') != NULL) != (text[0] == '['))
		return -EINVAL;
	return parse_numeric(name, port, ret_address);
}

int
address_listen(const struct address *address, const char *text, int *ret_socket,
	       struct err *err)
{
	static const int on = 1;
	int r, fd = socket(address->at.ss_family,
			   SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	/* A port whose last connection has just ended is free
	 * (socket(7), SO_REUSEADDR). */
	if (fd >= 0 &&
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) == 0 &&
	    bind(fd, (const struct sockaddr *)&address->at, address->length) ==
		    0 &&
	    listen(fd, WAITING_MOST) == 0) {
		*ret_socket = fd;
		return 0;
	}
	r = err_set(err, -errno, "%s: cannot listen there: %s", text,
		    strerror(errno));
	if (fd >= 0)
		close(fd);
	return r;
}
