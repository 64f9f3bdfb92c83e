/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The peer of the socket is the server, if the program is the client. It is
 * asked for once in the life of a connection, at its first query.
 *
 * Of a connection through TLS the descriptor is not known. Its key is the
 * address of an SSL, which is no valid descriptor, so the server is unknown.
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
