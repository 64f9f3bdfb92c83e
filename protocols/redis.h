/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * RESP, the protocol of Redis, in its versions 2 and 3, read from the bytes of
 * both directions. A query is a command of the client; its text is the words of
 * the command, except words that may be passwords. Pipelines, inline commands
 * and CLIENT REPLY are followed. What the server pushes (messages of channels,
 * invalidations, lines of MONITOR) answers no command.
 *
 * Facts: "Redis serialization protocol specification" and the pages of the
 * commands, redis.io, 2024.
 */
#ifndef PROTOCOLS_REDIS_H
#define PROTOCOLS_REDIS_H

#include "base/str.h"
#include "protocols/lines.h"
#include "protocols/questions.h"

enum { REDIS_WORD_MOST = 32 };

/* The command whose words are coming. */
struct redis_command {
	uint64_t left;	/* words that have not come yet */
	uint64_t count; /* words that have come */
	uint64_t began;
	uint64_t whole; /* length of the command's text, if it were not cut */
	struct str text;
	/* The first three words, in upper case; cut if longer. */
	char name[REDIS_WORD_MOST], second[REDIS_WORD_MOST];
	char third[REDIS_WORD_MOST];
};

/* The reply that is coming. */
struct redis_reply {
	uint64_t left;	    /* values that have not come yet; 0: between two */
	uint64_t attribute; /* of `left`: values of an attribute */
	uint64_t values;    /* values that have come */
	uint64_t bytes;
	uint64_t began;
	unsigned char type;	     /* the first character of the reply */
	unsigned char element;	     /* of the string that comes as a block */
	char first[REDIS_WORD_MOST]; /* first element, in lower case */
	struct answer answer;
	struct query_reply reply;
};

struct redis {
	struct questions questions;
	struct line_reader client, server;
	struct redis_command command;
	struct redis_reply reply;
	bool subscribed; /* a command has subscribed to channels */
	bool monitors;	 /* the server sends the commands of all clients */
	bool silent;	 /* CLIENT REPLY OFF */
	unsigned skip;	 /* commands without a reply (CLIENT REPLY SKIP) */
	bool over;	 /* a stream of replication follows */
};

void redis_init(struct redis *redis, struct query_listener *listener);
void redis_release(struct redis *redis);
/* Takes bytes from the client, or from the server. Returns 0, or -EPROTO if
 * they make no sense; then redis must be released. */
must_check int redis_client(struct redis *redis, struct piece piece);
must_check int redis_server(struct redis *redis, struct piece piece);

/* True if these can be commands of a client: the first `have` bytes of a piece
 * with `whole` bytes. */
bool redis_detect_client(const unsigned char *bytes, size_t have,
			 uint64_t whole);

#endif
