/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files for the client (memcached.c) and the server
 * (memcached_answer.c) share. Private to this room.
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
	MEMCACHED_QUIET,  /* the same, or nothing if nothing is new (flag q) */
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
bool memcached_is(const struct memcached_word *word, const char *text);

#endif
