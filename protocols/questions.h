/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question is what a client sent and the server has not answered whole: a
 * query, or something else that has an answer. Servers answer in order, so
 * they wait in a queue. It is bounded; a client that never hears an answer
 * is one that we do not understand.
 */
#ifndef PROTOCOLS_QUESTIONS_H
#define PROTOCOLS_QUESTIONS_H

#include "protocols/bound.h"
#include "protocols/query.h"
#include "protocols/texts.h"

enum { QUESTIONS_MOST = 1024, QUESTIONS_BYTES_MOST = 8 << 20 };

struct question {
	unsigned char command;	/* the protocol's own */
	unsigned char sequence; /* MySQL: of its last packet */
	bool told;		/* it is a query, and the listener knows */
	enum query_kind kind;
	uint64_t number;
	uint64_t began;
	uint64_t answered;
	struct text *text;
	struct bound *bound; /* its own, or NULL */
	char name[QUERY_NAME_MOST];
};

/* How a query ended. */
struct answer {
	enum query_outcome outcome; /* QUERY_PENDING: nothing is known yet */
	unsigned code;
	char state[6];
	char message[QUERY_MESSAGE_MOST];
	bool rows_known;
	uint64_t rows;
	uint64_t failed; /* when the server's error came; QUERY_FAILED only */
};

struct questions {
	struct query_listener *listener;
	struct question *at;
	size_t first;
	size_t count;
	size_t room;
	size_t bytes;	  /* of their texts */
	uint64_t numbers; /* queries that began */
};

void questions_init(struct questions *questions,
		    struct query_listener *listener);
/* All that is open ends as lost. */
void questions_release(struct questions *questions);
void questions_lose(struct questions *questions);

/*
 * Puts one at the end; NULL when there are too many. The text may be NULL;
 * where the queue holds too many bytes of text it is cut.
 */
struct question *questions_add(struct questions *questions,
			       unsigned char command, uint64_t began,
			       struct text *text);
/* The i-th from the head, i < count. */
struct question *question_at(struct questions *questions, size_t i);
/* It is a query: the listener is told. */
void question_begins(struct questions *questions, struct question *question,
		     enum query_kind kind);
/* If it was a query the listener is told how it ended; it stays in the queue
 * and is no query any more. A time before the query began is not its end: the
 * query is lost then, whatever the answer is. */
void question_ends(struct questions *questions, struct question *question,
		   const struct answer *answer, uint64_t when);
/* Takes out the head, or the i-th: one that is no query (any more). */
void questions_remove(struct questions *questions, size_t i);

#endif
