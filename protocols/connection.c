/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interface for all protocols. If a protocol cannot follow a connection,
 * its open queries are lost, the listener is told once, and no more bytes are
 * accepted. The owner of the connection may create a new one when the next
 * command begins.
 *
 * A protocol is one row of the table, with functions that pass on to its own
 * file, and a case in protocol_of().
 */
#include "protocols/connection.h"

#include "base/xmalloc.h"
#include "protocols/http.h"
#include "protocols/memcached.h"
#include "protocols/mysql.h"
#include "protocols/postgres.h"
#include "protocols/redis.h"

#include <errno.h>
#include <stdlib.h>

struct connection {
	enum protocol protocol;
	const struct speaker *speaker;
	struct query_listener *listener;
	bool lost;
	union {
		struct mysql mysql;
		struct postgres postgres;
		struct redis redis;
		struct http http;
		struct memcached memcached;
	};
};

/* What a protocol does. */
struct speaker {
	const char *name;
	void (*init)(struct connection *connection);
	void (*release)(struct connection *connection);
	int (*bytes)(struct connection *connection, bool client,
		     struct piece piece);
	/* A query was sent before we saw the connection. NULL: the protocol
	 * cannot begin with the answer to such a query. */
	void (*asked)(struct connection *connection, struct text *text,
		      uint64_t when);
	uint64_t (*blind)(const struct connection *connection, bool client);
	void (*pass)(struct connection *connection, bool client,
		     uint64_t count);
	/* The server has ended the connection; NULL: this ends no answer. */
	void (*ended)(struct connection *connection, uint64_t when);
	/* Is the connection not followed any more? */
	bool (*over)(const struct connection *connection);
	const struct questions *(*questions)(
		const struct connection *connection);
};

/* ---- MySQL ----------------------------------------------------------------
 */

static void
start_mysql(struct connection *connection)
{
	mysql_init(&connection->mysql, connection->listener);
}

static void
release_mysql(struct connection *connection)
{
	mysql_release(&connection->mysql);
}

static int
take_mysql(struct connection *connection, bool client, struct piece piece)
{
	return client ? mysql_client(&connection->mysql, piece)
		      : mysql_server(&connection->mysql, piece);
}

static void
asked_mysql(struct connection *connection, struct text *text, uint64_t when)
{
	mysql_asked(&connection->mysql, text, when);
}

static uint64_t
blind_mysql(const struct connection *connection, bool client)
{
	return stream_blind(client ? &connection->mysql.client
				   : &connection->mysql.server);
}

static void
pass_mysql(struct connection *connection, bool client, uint64_t count)
{
	stream_pass(client ? &connection->mysql.client
			   : &connection->mysql.server,
		    count);
}

static bool
over_mysql(const struct connection *connection)
{
	return connection->mysql.over;
}

static const struct questions *
questions_mysql(const struct connection *connection)
{
	return &connection->mysql.questions;
}

/* ---- PostgreSQL -----------------------------------------------------------
 */

static void
start_postgres(struct connection *connection)
{
	postgres_init(&connection->postgres, connection->listener,
		      connection->protocol == PROTOCOL_POSTGRES_START);
}

static void
release_postgres(struct connection *connection)
{
	postgres_release(&connection->postgres);
}

static int
take_postgres(struct connection *connection, bool client, struct piece piece)
{
	return client ? postgres_client(&connection->postgres, piece)
		      : postgres_server(&connection->postgres, piece);
}

static void
asked_postgres(struct connection *connection, struct text *text, uint64_t when)
{
	postgres_asked(&connection->postgres, text, when);
}

static uint64_t
blind_postgres(const struct connection *connection, bool client)
{
	return stream_blind(client ? &connection->postgres.client
				   : &connection->postgres.server);
}

static void
pass_postgres(struct connection *connection, bool client, uint64_t count)
{
	stream_pass(client ? &connection->postgres.client
			   : &connection->postgres.server,
		    count);
}

static bool
over_postgres(const struct connection *connection)
{
	return connection->postgres.over;
}

static const struct questions *
questions_postgres(const struct connection *connection)
{
	return &connection->postgres.questions;
}

/* ---- Redis ----------------------------------------------------------------
 */

static void
start_redis(struct connection *connection)
{
	redis_init(&connection->redis, connection->listener);
}

static void
release_redis(struct connection *connection)
{
	redis_release(&connection->redis);
}

static int
take_redis(struct connection *connection, bool client, struct piece piece)
{
	return client ? redis_client(&connection->redis, piece)
		      : redis_server(&connection->redis, piece);
}

static uint64_t
blind_redis(const struct connection *connection, bool client)
{
	return lines_blind(client ? &connection->redis.client
				  : &connection->redis.server);
}

static void
pass_redis(struct connection *connection, bool client, uint64_t count)
{
	lines_pass(client ? &connection->redis.client
			  : &connection->redis.server,
		   count);
}

static bool
over_redis(const struct connection *connection)
{
	return connection->redis.over;
}

static const struct questions *
questions_redis(const struct connection *connection)
{
	return &connection->redis.questions;
}

/* ---- memcached --------------------------------------------------------- */

static void
start_memcached(struct connection *connection)
{
	memcached_init(&connection->memcached, connection->listener);
}

static void
release_memcached(struct connection *connection)
{
	memcached_release(&connection->memcached);
}

static int
take_memcached(struct connection *connection, bool client, struct piece piece)
{
	return client ? memcached_client(&connection->memcached, piece)
		      : memcached_server(&connection->memcached, piece);
}

static uint64_t
blind_memcached(const struct connection *connection, bool client)
{
	return lines_blind(client ? &connection->memcached.client
				  : &connection->memcached.server);
}

static void
pass_memcached(struct connection *connection, bool client, uint64_t count)
{
	lines_pass(client ? &connection->memcached.client
			  : &connection->memcached.server,
		   count);
}

static bool
over_memcached(const struct connection *connection)
{
	return connection->memcached.over;
}

static const struct questions *
questions_memcached(const struct connection *connection)
{
	return &connection->memcached.questions;
}

/* ---- HTTP -----------------------------------------------------------------
 */

static void
start_http(struct connection *connection)
{
	http_init(&connection->http, connection->listener);
}

static void
release_http(struct connection *connection)
{
	http_release(&connection->http);
}

static int
take_http(struct connection *connection, bool client, struct piece piece)
{
	return client ? http_client(&connection->http, piece)
		      : http_server(&connection->http, piece);
}

static uint64_t
blind_http(const struct connection *connection, bool client)
{
	return lines_blind(client ? &connection->http.client.lines
				  : &connection->http.server.lines);
}

static void
pass_http(struct connection *connection, bool client, uint64_t count)
{
	lines_pass(client ? &connection->http.client.lines
			  : &connection->http.server.lines,
		   count);
}

static bool
over_http(const struct connection *connection)
{
	return connection->http.over;
}

static const struct questions *
questions_http(const struct connection *connection)
{
	return &connection->http.questions;
}

static void
ended_http(struct connection *connection, uint64_t when)
{
	http_ended(&connection->http, when);
}

/* ---- all ------------------------------------------------------------------
 */

static const struct speaker mysql_speaker = {
	.name = "mysql",
	.init = start_mysql,
	.release = release_mysql,
	.bytes = take_mysql,
	.asked = asked_mysql,
	.blind = blind_mysql,
	.pass = pass_mysql,
	.over = over_mysql,
	.questions = questions_mysql,
};

static const struct speaker postgres_speaker = {
	.name = "postgresql",
	.init = start_postgres,
	.release = release_postgres,
	.bytes = take_postgres,
	.asked = asked_postgres,
	.blind = blind_postgres,
	.pass = pass_postgres,
	.over = over_postgres,
	.questions = questions_postgres,
};

static const struct speaker redis_speaker = {
	.name = "redis",
	.init = start_redis,
	.release = release_redis,
	.bytes = take_redis,
	.blind = blind_redis,
	.pass = pass_redis,
	.over = over_redis,
	.questions = questions_redis,
};

static const struct speaker memcached_speaker = {
	.name = "memcached",
	.init = start_memcached,
	.release = release_memcached,
	.bytes = take_memcached,
	.blind = blind_memcached,
	.pass = pass_memcached,
	.over = over_memcached,
	.questions = questions_memcached,
};

static const struct speaker http_speaker = {
	.name = "http",
	.init = start_http,
	.release = release_http,
	.bytes = take_http,
	.blind = blind_http,
	.pass = pass_http,
	.over = over_http,
	.questions = questions_http,
	.ended = ended_http,
};

static const struct speaker *const speakers[] = {
	[PROTOCOL_MYSQL] = &mysql_speaker,
	[PROTOCOL_POSTGRES] = &postgres_speaker,
	[PROTOCOL_POSTGRES_START] = &postgres_speaker,
	[PROTOCOL_REDIS] = &redis_speaker,
	[PROTOCOL_MEMCACHED] = &memcached_speaker,
	[PROTOCOL_HTTP] = &http_speaker,
};

static enum protocol
database_of(bool client, const void *bytes, size_t have, uint64_t whole)
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

enum protocol
protocol_of(unsigned wanted, bool client, const void *bytes, size_t have,
	    uint64_t whole)
{
	enum protocol protocol = PROTOCOL_NONE;

	if (wanted & PROTOCOLS_DATABASES)
		protocol = database_of(client, bytes, have, whole);
	if (protocol == PROTOCOL_NONE && wanted & PROTOCOLS_REDIS && client &&
	    redis_detect_client(bytes, have, whole))
		protocol = PROTOCOL_REDIS;
	if (protocol == PROTOCOL_NONE && wanted & PROTOCOLS_MEMCACHED &&
	    client && memcached_detect_client(bytes, have, whole))
		protocol = PROTOCOL_MEMCACHED;
	if (protocol == PROTOCOL_NONE && wanted & PROTOCOLS_HTTP && client &&
	    http_detect_client(bytes, have, whole))
		protocol = PROTOCOL_HTTP;
	return protocol;
}

const char *
protocol_name(enum protocol protocol)
{
	return speakers[protocol]->name;
}

struct connection *
connection_new(enum protocol protocol, struct query_listener *listener)
{
	struct connection *connection = xcalloc(1, sizeof(*connection));

	connection->protocol = protocol;
	connection->speaker = speakers[protocol];
	connection->listener = listener;
	connection->speaker->init(connection);
	return connection;
}

void
connection_free(struct connection *connection)
{
	if (!connection)
		return;
	if (!connection->lost)
		connection->speaker->release(connection);
	free(connection);
}

int
connection_bytes(struct connection *connection, bool client, const void *bytes,
		 size_t length, uint64_t when)
{
	struct piece piece = { .at = bytes, .left = length, .when = when };

	if (connection->lost)
		return -EPROTO;
	if (connection->speaker->bytes(connection, client, piece) < 0) {
		connection->speaker->release(connection);
		connection->lost = true;
		connection->listener->notice(connection->listener,
					     QUERY_NOTICE_LOST);
		return -EPROTO;
	}
	return connection->speaker->over(connection) ? -ENODATA : 0;
}

void
connection_ended(struct connection *connection, uint64_t when)
{
	if (!connection->lost && connection->speaker->ended)
		connection->speaker->ended(connection, when);
}

void
connection_asked(struct connection *connection, const char *bytes,
		 size_t length, uint64_t whole, uint64_t when)
{
	struct text *text = text_new(bytes, length, whole);

	if (connection->speaker->asked)
		connection->speaker->asked(connection, text, when);
	text_unref(text);
}

uint64_t
connection_blind(const struct connection *connection, bool client)
{
	return connection->lost
		       ? 0
		       : connection->speaker->blind(connection, client);
}

void
connection_pass(struct connection *connection, bool client, uint64_t count)
{
	if (!connection->lost)
		connection->speaker->pass(connection, client, count);
}

bool
connection_open_query(const struct connection *connection, uint64_t number,
		      struct query *ret_query)
{
	return !connection->lost &&
	       questions_query(connection->speaker->questions(connection),
			       number, ret_query);
}
