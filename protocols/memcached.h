/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The protocols of memcached: text with its meta commands, and the binary one,
 * read from the bytes of both directions. A query is a command; its text is the
 * command's line, or the command and the key, without the value that may
 * follow. The client's first byte tells which of the protocols it is.
 *
 * Facts: doc/protocol.txt of memcached 1.6.18.
 */
#ifndef PROTOCOLS_MEMCACHED_H
#define PROTOCOLS_MEMCACHED_H

#include "base/str.h"
#include "protocols/lines.h"
#include "protocols/questions.h"

/* A packet of the binary protocol that is coming. */
struct memcached_packet {
	bool coming; /* the header has come, and a body follows */
	unsigned char opcode, extras, opaque[4];
	unsigned key, status;
	uint32_t body;
	uint64_t began;
	const unsigned char *bytes; /* the first `kept` bytes of the body */
	size_t kept;
};

struct memcached {
	struct questions questions;
	struct line_reader client, server;
	struct str line;   /* the command whose value is coming */
	uint64_t began;	   /* when the command began */
	uint64_t whole;	   /* how long the command's line is */
	bool over;	   /* the server sends a log from now on */
	uint64_t values;   /* values of the answer that is coming */
	uint64_t bytes;	   /* bytes of the answer that is coming */
	uint64_t answered; /* time of the answer's first byte, or 0 */
	/* The value that is coming is the whole answer to the first question.
	 */
	bool meta;
	bool begun;   /* the client's first byte has come */
	bool packets; /* the client speaks the binary protocol */
	struct memcached_packet asked, told;
};

void memcached_init(struct memcached *memcached,
		    struct query_listener *listener);
void memcached_release(struct memcached *memcached);
/* Takes bytes from the client, or from the server. Returns 0, or -EPROTO if
 * they make no sense; then memcached must be released. */
must_check int memcached_client(struct memcached *memcached,
				struct piece piece);
must_check int memcached_server(struct memcached *memcached,
				struct piece piece);

/* True if these can be commands of a client: the first `have` bytes of a piece
 * with `whole` bytes. */
bool memcached_detect_client(const unsigned char *bytes, size_t have,
			     uint64_t whole);

#endif
