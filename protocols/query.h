/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query is something that a client asked of a database and that the server
 * answers: a text, or the execution of a text that was prepared before. It
 * begins with the first byte of the question and ends with the last of the
 * answer; if the server reports an error and the connection ends before the
 * rest of the answer, the query ends with that error. A connection tells a
 * listener of both.
 */
#ifndef PROTOCOLS_QUERY_H
#define PROTOCOLS_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	QUERY_TEXT_MOST = 1 << 20, /* bytes of a text that are kept */
	QUERY_MESSAGE_MOST = 512,
	QUERY_NAME_MOST = 64,
};

enum query_kind {
	QUERY_TEXT,    /* a text, to be run at once */
	QUERY_PREPARE, /* a text, to be kept by the server */
	QUERY_EXECUTE, /* a text that the server has kept */
};

enum query_outcome {
	QUERY_PENDING,
	QUERY_DONE,
	QUERY_FAILED,  /* the server says why: code, state, message */
	QUERY_SKIPPED, /* not run, because one before it failed */
	QUERY_LOST,    /* we could not follow any more, or the connection ended
			* without an error of the server's */
};

enum query_value_kind {
	QUERY_VALUE_NULL,
	QUERY_VALUE_PLAIN, /* a number, or a time */
	QUERY_VALUE_TEXT,
};

/* What was bound to a parameter. */
struct query_value {
	enum query_value_kind kind;
	const char *bytes; /* of whole, the first length */
	size_t length;
	size_t whole;
};

struct query {
	uint64_t number; /* of the connection's queries, from 1 */
	enum query_kind kind;
	/* NULL: prepared before we came. Not terminated, and of whole bytes
	 * the first length. */
	const char *text;
	size_t length;
	uint64_t whole;
	/* Where the listener wants them; as far as they are known. */
	const struct query_value *values;
	size_t value_count;
	bool values_cut;	    /* there are more */
	char name[QUERY_NAME_MOST]; /* of what is prepared; MySQL: its id */
	uint64_t began;		    /* first byte of the question */
	uint64_t answered;	    /* first packet of the answer, or 0 */
	/* Last packet of the answer, never before began; 0 if and only if the
	 * outcome is QUERY_LOST, for then the end is not known. */
	uint64_t ended;
	enum query_outcome outcome;
	unsigned code; /* MySQL's error number, else 0 */
	char state[6]; /* SQLSTATE, or "" */
	char message[QUERY_MESSAGE_MOST];
	bool rows_known;
	uint64_t rows; /* that came, or were changed */
};

enum query_notice {
	QUERY_NOTICE_COMPRESSED, /* by the client's wish: cannot be read */
	QUERY_NOTICE_ENCRYPTED,	 /* from here on in TLS */
	QUERY_NOTICE_LOST, /* bytes that make no sense; looks for a start */
};

/* What it is given is valid during the call only. Every query that begins
 * ends once, at the latest with connection_free(). */
struct query_listener {
	void (*begin)(struct query_listener *listener,
		      const struct query *query);
	void (*end)(struct query_listener *listener, const struct query *query);
	void (*notice)(struct query_listener *listener,
		       enum query_notice notice);
	bool wants_values;
};

#endif
