/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sockets of a program that xtrace has seen, by descriptor or SSL. */
#ifndef TRACER_QUERIES_SOCKET_MAP_H
#define TRACER_QUERIES_SOCKET_MAP_H

#include "base/map.h"
#include "output/event.h"
#include "tracer/model/session.h"
#include "tracer/queries/socket.h"

struct sockets {
	struct map map; /* descriptor or SSL -> struct socket */
	size_t count;
	/* tid -> the struct socket on which the thread waits, as long as its
	 * descriptor is not known */
	struct map awaited;
	/* tids of threads that may wait, and could not be looked at: see
	 * sockets_look_again() */
	struct map again;
	uint64_t since; /* when xtrace attached */
};

struct life;
/* When a program ends, its open queries end, and its connections are
 * forgotten. */
extern const struct life sockets_life;

/* The program's sockets; made when they are first asked for. */
struct sockets *socket_map_of(struct program *program);

/* The socket of this descriptor or SSL; NULL if none was seen. */
struct socket *socket_map_find(const struct program *program, uint64_t key);
/* The same; made if none was seen. */
struct socket *socket_map_get(struct program *program, uint64_t key);

/* A socket that is in no map yet. The caller owns it until socket_map_add(). */
struct socket *socket_map_new(struct session *session, uint64_t key);
/* The key must not be in the map. If there are too many sockets, all others are
 * forgotten first. */
void socket_map_add(struct program *program, uint64_t key,
		    struct socket *socket);

/* Ends the socket's open queries with the end `how`, and frees it. It is not in
 * a map. */
void socket_map_free(struct program *program, struct socket *socket,
		     enum call_end how);
/* Removes and frees the socket of this key, if there is one. */
void socket_map_forget(struct program *program, uint64_t key,
		       enum call_end how);

/* The id of the request that came on the connection with this descriptor and is
 * being answered; 0: there is none. */
uint64_t sockets_request(const struct program *program, int descriptor);

/* Announces the open queries of the program that have taken at least the time
 * `least`, by events of this kind (see open_queries.h). */
void sockets_announce(struct program *program, uint64_t least,
		      enum event_kind kind);

#endif
