/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text protocol of memcached, with its meta commands, read from the bytes
 * of both directions. A query is a command; its text is the command's line,
 * without the value that may follow it. The binary protocol is not read.
 *
 * Facts: doc/protocol.txt of memcached 1.6.18.
 */
#ifndef PROTOCOLS_MEMCACHED_H
#define PROTOCOLS_MEMCACHED_H

#include "base/str.h"
#include "protocols/lines.h"
#include "protocols/questions.h"

struct memcached {
	struct questions questions;
	struct line_reader client, server;
	struct str line;   /* the command whose value is coming */
	uint64_t began;	   /* when it began */
	uint64_t whole;	   /* how long the command's line is */
	bool over;	   /* the server sends a log from now on */
	uint64_t values;   /* values of the answer that is coming */
	uint64_t bytes;	   /* bytes of it */
	uint64_t answered; /* its first byte, or 0 */
	/* The value that is coming is the whole answer to the first question.
	 */
	bool meta;
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
