/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A client library knows which server and database a connection is for, because
 * it has connected there; a set's probes say where the library keeps that
 * (ACT_SERVER, ACT_DATABASE). It is read for each query anew: the database of a
 * connection can change, and the address of a closed connection is used again.
 *
 * What cannot be read is unknown. Nothing is concluded from other queries.
 */
#include "tracer/queries/probe_server.h"

#include "conf/model/expr.h"
#include "tracer/queries/probe_scope.h"
#include "values/fetch.h"

#include <stdlib.h>

#define PORT_MOST 65535

/* The text of the act's first value, or NULL if it has none or is empty. */
static const char *
text_of(struct probed *of, const struct act *act)
{
	struct expr_value value;

	if (!probe_holds(of, act) || !probe_value(of, act->values[0], &value) ||
	    value.kind != EXPR_VALUE_TEXT || !*value.text)
		return NULL;
	return arena_strdup(&of->call->arena, value.text);
}

/* The port, which is a number or a text of digits; 0 if it is unknown. */
static unsigned
port_of(struct probed *of, const struct act *act)
{
	struct expr_value value;
	long port;
	char *end;

	if (act->value_count < 2 || !probe_value(of, act->values[1], &value))
		return 0;
	if (value.kind == EXPR_VALUE_TEXT) {
		port = strtol(value.text, &end, 10);
		if (*end)
			return 0;
	} else if (value.kind == EXPR_VALUE_NUMBER) {
		port = (long)value.number;
	} else {
		return 0;
	}
	return port > 0 && port <= PORT_MOST ? (unsigned)port : 0;
}

static void
find(struct probed *of)
{
	const struct probe *probe = of->probing->probe;
	struct event_server server = { 0 };

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (act->kind == ACT_SERVER && !server.address) {
			server.address = text_of(of, act);
			if (server.address)
				server.port = port_of(of, act);
		} else if (act->kind == ACT_DATABASE && !server.database) {
			server.database = text_of(of, act);
		}
	}
	if (server.address || server.database)
		of->call->event.server =
			arena_copy(&of->call->arena, &server, sizeof(server));
}

void
probe_server_entered(struct probed *of)
{
	if (of->session->wants.servers && !of->call->event.connects)
		find(of);
}

void
probe_server_connected(struct probed *of)
{
	struct arguments *entry = of->call->event.arguments;

	if (!of->session->wants.servers || !of->call->event.connects ||
	    !of->memory)
		return;
	of->call->event.arguments = probe_arguments_now(of);
	find(of);
	of->call->event.arguments = entry;
}
