/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection is one client's conversation with one server, in whichever of
 * the protocols that we know. It is given what goes by in both directions and
 * tells its listener of the queries.
 */
#ifndef PROTOCOLS_CONNECTION_H
#define PROTOCOLS_CONNECTION_H

#include "base/attr.h"
#include "protocols/query.h"

enum protocol {
	PROTOCOL_NONE,
	PROTOCOL_MYSQL,
	PROTOCOL_POSTGRES,
	PROTOCOL_POSTGRES_START, /* the same, from its first byte */
};

enum { PROTOCOL_LOOK = 512 }; /* bytes that are enough to tell */

/*
 * What a piece of `whole` bytes is, of which the first `have` (PROTOCOL_LOOK
 * if there are so many) are here, sent by a client or by a server; on a
 * connection of which nothing is known. PROTOCOL_NONE: nothing that we know,
 * or not from its beginning.
 */
enum protocol protocol_of(bool client, const void *bytes, size_t have,
			  uint64_t whole);
/* "MySQL" or "PostgreSQL". */
const char *protocol_name(enum protocol protocol);

struct connection;

/* The listener is not owned. */
struct connection *connection_new(enum protocol protocol,
				  struct query_listener *listener);
/* Open queries end as lost. */
void connection_free(struct connection *connection);
enum protocol connection_protocol(const struct connection *connection);

/*
 * Length bytes came from the client or the server at a time, in nanoseconds.
 * 0; or -EPROTO when they make no sense: the listener has been told, and the
 * connection can only be freed; -ENODATA when it goes on where we cannot read
 * it, compressed or encrypted.
 */
must_check int connection_bytes(struct connection *connection, bool client,
				const void *bytes, size_t length,
				uint64_t when);

/* Of the next bytes in that direction so many are of no interest and need not
 * be read: connection_pass() says that they came. */
uint64_t connection_blind(const struct connection *connection, bool client);
void connection_pass(struct connection *connection, bool client,
		     uint64_t count);
/* Queries are open. */
bool connection_waits(const struct connection *connection);

#endif
