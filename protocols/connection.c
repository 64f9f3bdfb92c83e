/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interface for all protocols. If a protocol cannot follow a connection,
 * its open queries are lost, the listener is told once, and no more bytes are
 * accepted. The owner of the connection may create a new one when the next
 * command begins.
 */
#include "protocols/connection.h"

#include "base/xmalloc.h"
#include "protocols/mysql.h"
#include "protocols/postgres.h"

#include <errno.h>
#include <stdlib.h>

struct connection {
	enum protocol protocol;
	struct query_listener *listener;
	bool lost;
	union {
		struct mysql mysql;
		struct postgres postgres;
	};
};

enum protocol
protocol_of(bool client, const void *bytes, size_t have, uint64_t whole)
{
	if (!client) {
		return mysql_detect_server(bytes, have, whole) ? PROTOCOL_MYSQL
							       : PROTOCOL_NONE;
	}
	if (postgres_detect_start(bytes, have, whole))
		return PROTOCOL_POSTGRES_START;
	if (postgres_detect_client(bytes, have, whole))
		return PROTOCOL_POSTGRES;
	if (mysql_detect_client(bytes, have, whole))
		return PROTOCOL_MYSQL;
	return PROTOCOL_NONE;
}

const char *
protocol_name(enum protocol protocol)
{
	return protocol == PROTOCOL_MYSQL ? "MySQL" : "PostgreSQL";
}

struct connection *
connection_new(enum protocol protocol, struct query_listener *listener)
{
	struct connection *connection = xcalloc(1, sizeof(*connection));

	connection->protocol = protocol;
	connection->listener = listener;
	if (protocol == PROTOCOL_MYSQL)
		mysql_init(&connection->mysql, listener);
	else
		postgres_init(&connection->postgres, listener,
			      protocol == PROTOCOL_POSTGRES_START);
	return connection;
}

static void
release(struct connection *connection)
{
	if (connection->protocol == PROTOCOL_MYSQL)
		mysql_release(&connection->mysql);
	else
		postgres_release(&connection->postgres);
}

void
connection_free(struct connection *connection)
{
	if (!connection)
		return;
	if (!connection->lost)
		release(connection);
	free(connection);
}

static int
take_bytes(struct connection *connection, bool client, struct piece piece)
{
	if (connection->protocol == PROTOCOL_MYSQL) {
		return client ? mysql_client(&connection->mysql, piece)
			      : mysql_server(&connection->mysql, piece);
	}
	return client ? postgres_client(&connection->postgres, piece)
		      : postgres_server(&connection->postgres, piece);
}

static bool
is_over(const struct connection *connection)
{
	return connection->protocol == PROTOCOL_MYSQL
		       ? connection->mysql.over
		       : connection->postgres.over;
}

int
connection_bytes(struct connection *connection, bool client, const void *bytes,
		 size_t length, uint64_t when)
{
	struct piece piece = { .at = bytes, .left = length, .when = when };

	if (connection->lost)
		return -EPROTO;
	if (take_bytes(connection, client, piece) < 0) {
		release(connection);
		connection->lost = true;
		connection->listener->notice(connection->listener,
					     QUERY_NOTICE_LOST);
		return -EPROTO;
	}
	return is_over(connection) ? -ENODATA : 0;
}

void
connection_asked(struct connection *connection, const char *bytes,
		 size_t length, uint64_t whole, uint64_t when)
{
	struct text *text = text_new(bytes, length, whole);

	if (connection->protocol == PROTOCOL_MYSQL)
		mysql_asked(&connection->mysql, text, when);
	else
		postgres_asked(&connection->postgres, text, when);
	text_unref(text);
}

static struct stream *
stream_of(struct connection *connection, bool client)
{
	if (connection->protocol == PROTOCOL_MYSQL)
		return client ? &connection->mysql.client
			      : &connection->mysql.server;
	return client ? &connection->postgres.client
		      : &connection->postgres.server;
}

uint64_t
connection_blind(const struct connection *connection, bool client)
{
	if (connection->lost)
		return 0;
	return stream_blind(stream_of((struct connection *)connection, client));
}

void
connection_pass(struct connection *connection, bool client, uint64_t count)
{
	if (!connection->lost)
		stream_pass(stream_of(connection, client), count);
}

bool
connection_open_query(const struct connection *connection, uint64_t number,
		      struct query *ret_query)
{
	return !connection->lost &&
	       questions_query(connection->protocol == PROTOCOL_MYSQL
				       ? &connection->mysql.questions
				       : &connection->postgres.questions,
			       number, ret_query);
}
