/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files for the client (memcached.c), the server (memcached_answer.c)
 * and the binary protocol (memcached_packets.c) share. Private to this room.
 */
#ifndef PROTOCOLS_MEMCACHED_PARTS_H
#define PROTOCOLS_MEMCACHED_PARTS_H

#include "protocols/memcached.h"

/* What answers a command: the values of question.command. */
enum memcached_kind {
	MEMCACHED_LINE,	  /* one line */
	MEMCACHED_VALUES, /* lines VALUE, each with a block, and END */
	MEMCACHED_LIST,	  /* lines, and END; or one other line */
	MEMCACHED_META,	  /* one line, with a block behind VA */
	MEMCACHED_QUIET,  /* as META, or no answer if nothing is new (flag q) */
	MEMCACHED_NOOP,	  /* MN: all quiet commands before it are over */
	MEMCACHED_NOTHING,
	MEMCACHED_STREAM, /* a log that does not end */
};

/* A word of a line. */
struct memcached_word {
	const unsigned char *at;
	size_t length;
};

/* Takes the next word of the bytes from *at to `end`; false if there is none.
 */
must_check bool memcached_word(const unsigned char **at,
			       const unsigned char *end,
			       struct memcached_word *ret_word);
/* Ends the last question, because the server sends no answer to it. */
void memcached_no_reply(struct memcached *memcached, struct question *question,
			uint64_t when);
/* Ends the first `count` questions, which are quiet and got no answer. */
void memcached_end_quiet(struct memcached *memcached, size_t count,
			 uint64_t when);
/* Ends the first question: its answer consists of the bytes that have come. */
void memcached_done(struct memcached *memcached, const struct answer *answer,
		    uint64_t when);

/* These functions do for the text protocol what memcached_client(),
 * memcached_server() and memcached_detect_client() do for both protocols. */
must_check int memcached_client_lines(struct memcached *memcached,
				      struct piece piece);
must_check int memcached_server_lines(struct memcached *memcached,
				      struct piece piece);
bool memcached_detect_line(const unsigned char *bytes, size_t have,
			   uint64_t whole);

bool memcached_is(const struct memcached_word *word, const char *text);

#endif
