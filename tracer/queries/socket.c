/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first bytes that a client sends on a connection tell which protocol it
 * speaks. The client is the program itself. Only of HTTP, the program may also
 * be the server, which receives these bytes.
 */
#include "tracer/queries/socket.h"

#include "base/log.h"
#include "tracer/queries/connecting.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/socket_calls.h"

void
socket_close(struct socket *socket, enum call_end how)
{
	socket->wire.lost = how;
	connection_free(socket->connection);
	socket->connection = NULL;
	connecting_free(socket->wire.connecting);
	socket->wire.connecting = NULL;
	wire_closed(&socket->wire);
}

void
socket_break(struct socket *socket, const char *why)
{
	socket->wire.broken = why;
	socket_close(socket, CALL_RETURNED);
	socket->wire.broken = NULL;
}

void
socket_closed_by_program(struct socket *socket, uint64_t when)
{
	if (socket->connection && socket->wire.serves)
		connection_ended(socket->connection, when);
	socket_break(socket, socket->wire.serves
				     ? "the server closed the connection"
				     : "the client closed the connection");
}

void
socket_leave(struct socket *socket)
{
	socket_close(socket, CALL_UNFINISHED);
	socket->state = LEFT;
}

void
socket_follow(struct socket *socket, enum protocol protocol)
{
	debug("%s on %#" PRIx64, protocol_name(protocol), socket->wire.key);
	socket->state = SPOKEN;
	socket->wire.protocol = protocol;
	socket->connection = connection_new(protocol, &socket->wire.listener);
}

void
socket_look(struct program *program, struct socket *socket,
	    const struct socket_call *call, addr_t return_address)
{
	unsigned char bytes[PROTOCOL_LOOK];
	size_t have = socket_call_first(call, program, bytes, sizeof(bytes));
	enum protocol protocol = protocol_of(wire_searched(&socket->wire), true,
					     bytes, have, call->length);

	if (protocol == PROTOCOL_NONE) {
		if (--socket->tries > 0)
			return;
		socket->state = LEFT;
		socket->file = !call->encrypted &&
			       !socket_calls_socket(program, call->key);
		return;
	}
	if (probes_of_caller(program, return_address) ||
	    (!call->encrypted && !socket_calls_socket(program, call->key))) {
		socket->state = LEFT;
		return;
	}
	socket->wire.serves = false;
	socket_follow(socket, protocol);
}

void
socket_look_served(struct program *program, struct socket *socket,
		   const struct socket_call *call, uint64_t length,
		   addr_t return_address)
{
	unsigned char bytes[PROTOCOL_LOOK];
	size_t have = socket_call_first(call, program, bytes, sizeof(bytes));

	if (have > length)
		have = (size_t)length;
	if (!(wire_protocols(program->session) & PROTOCOLS_HTTP))
		return;
	if (protocol_of(PROTOCOLS_HTTP, true, bytes, have, length) ==
	    PROTOCOL_NONE) {
		if (--socket->tries == 0)
			socket->state = LEFT;
		return;
	}
	if (probes_of_caller(program, return_address)) {
		socket->state = LEFT;
		return;
	}
	socket->wire.serves = true;
	socket_follow(socket, PROTOCOL_HTTP);
}
