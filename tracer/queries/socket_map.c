/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A socket is added when it is first used, and removed when the program closes
 * its descriptor. Not every close is seen (stdio, a system call without a
 * function), so the number of sockets is limited: when it is reached, all
 * sockets are forgotten, and their open queries are shown as unfinished.
 *
 * A vfork child shares the memory of its parent, but not the descriptors. Its
 * calls change no socket, see begins() in sockets.c.
 */
#include "tracer/queries/socket_map.h"

#include "base/xmalloc.h"
#include "tracer/model/rooms.h"

#include <stdlib.h>

/* How many sockets of one program are remembered. */
enum { SOCKETS_MOST = 4096 };

struct socket *
socket_map_find(const struct program *program, uint64_t key)
{
	return program->sockets ? map_get(&program->sockets->map, key) : NULL;
}

uint64_t
sockets_request(const struct program *program, int descriptor)
{
	const struct socket *socket =
		socket_map_find(program, (uint64_t)descriptor);

	return socket ? serving_request(&socket->serving) : 0;
}

void
socket_map_free(struct program *program, struct socket *socket,
		enum call_end how)
{
	socket_close(socket, how);
	reads_release(&socket->reads);
	serving_release(&socket->serving, program->session);
	free(socket);
}

void
socket_map_forget(struct program *program, uint64_t key, enum call_end how)
{
	struct socket *socket =
		program->sockets ? map_remove(&program->sockets->map, key)
				 : NULL;

	if (!socket)
		return;
	program->sockets->count--;
	socket_map_free(program, socket, how);
}

static void sockets_end(struct program *program, enum call_end how);

struct sockets *
socket_map_of(struct program *program)
{
	if (!program->sockets)
		program->sockets = xcalloc(1, sizeof(*program->sockets));
	return program->sockets;
}

struct socket *
socket_map_new(struct session *session, uint64_t key)
{
	struct socket *socket = xcalloc(1, sizeof(*socket));

	socket->tries = SOCKET_TRIES;
	wire_init(&socket->wire, session, key);
	return socket;
}

void
socket_map_add(struct program *program, uint64_t key, struct socket *socket)
{
	if (socket_map_of(program)->count >= SOCKETS_MOST)
		sockets_end(program, CALL_UNFINISHED);
	map_put(&program->sockets->map, key, socket);
	program->sockets->count++;
}

struct socket *
socket_map_get(struct program *program, uint64_t key)
{
	struct socket *socket = socket_map_find(program, key);

	if (!socket) {
		socket = socket_map_new(program->session, key);
		socket_map_add(program, key, socket);
	}
	return socket;
}

static void
sockets_end(struct program *program, enum call_end how)
{
	size_t cursor = 0;
	uint64_t key;
	void *value;

	if (!program->sockets)
		return;
	while (map_next(&program->sockets->map, &cursor, &key, &value))
		socket_map_forget(program, key, how);
	map_clear(&program->sockets->map);
	cursor = 0;
	while (map_next(&program->sockets->awaited, &cursor, NULL, &value))
		socket_map_free(program, value, how);
	map_clear(&program->sockets->awaited);
	map_clear(&program->sockets->again);
}

static void
sockets_gone(struct program *program)
{
	if (program->sockets) {
		map_release(&program->sockets->map);
		map_release(&program->sockets->awaited);
		map_release(&program->sockets->again);
	}
	free(program->sockets);
}

static void
sockets_cut(struct program *program)
{
	sockets_end(program, CALL_UNFINISHED);
}

const struct life sockets_life = {
	.ends = sockets_end,
	.cut = sockets_cut,
	.gone = sockets_gone,
};

void
sockets_announce(struct program *program, uint64_t least, enum event_kind kind)
{
	size_t cursor = 0;
	void *value;

	if (!program->sockets)
		return;
	while (map_next(&program->sockets->map, &cursor, NULL, &value)) {
		struct socket *socket = value;

		if (socket->connection)
			wire_announce(&socket->wire, socket->connection, least,
				      kind);
	}
}
