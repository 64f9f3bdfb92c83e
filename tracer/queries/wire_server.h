/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which server and database the queries of a connection are for. */
#ifndef TRACER_QUERIES_WIRE_SERVER_H
#define TRACER_QUERIES_WIRE_SERVER_H

#include "tracer/queries/wire.h"

struct arena;

/* Finds the server of the connection, once, while its socket is open. */
void wire_seek_server(struct wire *wire);
/* The server of the connection and this database (or NULL), in the arena; NULL
 * if both are unknown, or no sink wants them. */
const struct event_server *wire_server(struct wire *wire, struct arena *arena,
				       const char *database);

#endif
