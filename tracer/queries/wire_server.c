/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If the program is the client, the peer of the socket is the server. xtrace
 * asks for the peer once in the life of a connection.
 *
 * The key of an encrypted connection is the address of OpenSSL's object SSL,
 * and its descriptor is not known. So the server is unknown.
 */
#include "tracer/queries/wire_server.h"

#include "tracer/model/session.h"

#include <limits.h>

void
wire_seek_server(struct wire *wire)
{
	if (wire->peer_sought || wire->serves || !wire->session->wants.servers)
		return;
	wire->peer_sought = true;
	if (wire->key > INT_MAX ||
	    peer_read(wire->tid, (int)wire->key, &wire->peer) < 0)
		wire->peer.address[0] = '\0';
}

const struct event_server *
wire_server(struct wire *wire, struct arena *arena, const char *database)
{
	struct event_server server = { 0 };

	if (!wire->session->wants.servers || wire->serves)
		return NULL;
	wire_seek_server(wire);
	if (wire->peer.address[0]) {
		server.address = arena_strdup(arena, wire->peer.address);
		server.port = wire->peer.port;
	}
	if (database)
		server.database = arena_strdup(arena, database);
	return server.address || server.database
		       ? arena_copy(arena, &server, sizeof(server))
		       : NULL;
}
