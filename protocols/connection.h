/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A connection is one client's conversation with one server, in one of the
 * protocols that we know. It gets the bytes of both directions and tells its
 * listener of the queries in them.
 */
#ifndef PROTOCOLS_CONNECTION_H
#define PROTOCOLS_CONNECTION_H

#include "base/attr.h"
#include "protocols/query.h"

enum protocol {
	PROTOCOL_NONE,
	PROTOCOL_MYSQL,
	PROTOCOL_POSTGRES,
	/* PostgreSQL, from the first byte of the connection on */
	PROTOCOL_POSTGRES_START,
	PROTOCOL_REDIS,
	PROTOCOL_MEMCACHED,
	PROTOCOL_HTTP,
};

/* Protocols that are searched for together, as bits. */
enum {
	PROTOCOLS_DATABASES = 1 << 0,
	PROTOCOLS_REDIS = 1 << 1,
	PROTOCOLS_MEMCACHED = 1 << 2,
	PROTOCOLS_HTTP = 1 << 3,
};

enum { PROTOCOL_LOOK = 512 }; /* bytes that are enough to detect a protocol */

/*
 * Detects which of the wanted protocols (bits of PROTOCOLS_) a connection has,
 * from a piece of `whole` bytes that a client or a server sent. The first
 * `have` bytes of the piece (at least PROTOCOL_LOOK, if the piece has as many)
 * are given. PROTOCOL_NONE: no protocol that we know, or the piece does not
 * begin with the start of a message.
 */
enum protocol protocol_of(unsigned wanted, bool client, const void *bytes,
			  size_t have, uint64_t whole);
/* The name that queries of this protocol have in the trace, such as "mysql". */
const char *protocol_name(enum protocol protocol);

struct connection;

/* The caller keeps the ownership of listener. */
struct connection *connection_new(enum protocol protocol,
				  struct query_listener *listener);
/* Frees the connection. Queries that are open end as lost. */
void connection_free(struct connection *connection);

/*
 * Gives length bytes from the client or the server; when is their time in
 * nanoseconds. Returns 0, -EPROTO if the bytes make no sense, or -ENODATA if
 * the connection becomes compressed or encrypted. After -EPROTO the listener
 * has been told, and the connection can only be freed.
 */
must_check int connection_bytes(struct connection *connection, bool client,
				const void *bytes, size_t length,
				uint64_t when);

/* The client sent this query before we saw the connection, and the server has
 * sent nothing since. */
void connection_asked(struct connection *connection, const char *text,
		      size_t length, uint64_t whole, uint64_t when);

/* The server has ended the connection, which in some protocols ends an answer.
 */
void connection_ended(struct connection *connection, uint64_t when);

/* How many of the next bytes in that direction do not matter and need not be
 * read. If they are not read, connection_pass() counts them. */
uint64_t connection_blind(const struct connection *connection, bool client);
void connection_pass(struct connection *connection, bool client,
		     uint64_t count);
/* Stores the open query with this number; false if it is not open. Its texts
 * are valid until the connection gets more bytes. */
must_check bool connection_open_query(const struct connection *connection,
				      uint64_t number, struct query *ret_query);

#endif
