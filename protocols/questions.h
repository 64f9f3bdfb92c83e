/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A question is something that a client sent and the server has not completely
 * answered: a query, or another command with an answer. Servers answer in
 * order, so the questions wait in a queue. Its length is limited: if more
 * questions than that have no answer, we do not understand the connection.
 */
#ifndef PROTOCOLS_QUESTIONS_H
#define PROTOCOLS_QUESTIONS_H

#include "base/attr.h"
#include "protocols/bound.h"
#include "protocols/query.h"
#include "protocols/texts.h"

enum { QUESTIONS_MOST = 1024, QUESTIONS_BYTES_MOST = 8 << 20 };

struct question {
	unsigned char command; /* the command, in the protocol's numbers */
	/* MySQL: the sequence number of the question's last packet */
	unsigned char sequence;
	bool told; /* the question is a query that the listener knows */
	/* the client sent it before we saw the connection, by messages that we
	 * do not know */
	bool unseen;
	enum query_kind kind;
	uint64_t number;
	uint64_t began;
	uint64_t answered;
	uint64_t bytes; /* bytes of the answer so far */
	/* Redis: replies that have not come yet */
	unsigned answers;
	struct query_reply reply;
	struct text *text;
	struct bound *bound; /* owned, or NULL */
	/* PostgreSQL: the answer has the types of a statement's parameters,
	 * which are kept under this key; else 0 */
	uint64_t types;
	char name[QUERY_NAME_MOST];
};

/* How a query ended. */
struct answer {
	enum query_outcome outcome; /* QUERY_PENDING: not known yet */
	unsigned code;
	char state[6];
	char message[QUERY_MESSAGE_MOST];
	bool rows_known;
	uint64_t rows;
	uint64_t failed; /* time of the server's error; only for QUERY_FAILED */
	enum query_transaction transaction;
};

struct questions {
	struct query_listener *listener;
	struct question *at;
	size_t first;
	size_t count;
	size_t room;
	size_t most;	  /* questions without an answer */
	size_t bytes;	  /* bytes of the texts of all questions */
	uint64_t numbers; /* number of queries that began */
	char *database;	  /* owned; NULL: none, or unknown */
};

/*
 * Returns the text of the statement under its key, or NULL if the text is
 * unknown. If the statement was prepared before we saw the connection, the
 * listener is asked for the text, but only a few times. Its answer is kept.
 * Adds no reference for the caller.
 */
struct text *questions_statement(struct questions *questions,
				 struct texts *texts, uint64_t key,
				 const char *name);

void questions_init(struct questions *questions,
		    struct query_listener *listener);
/* Frees the questions. Open queries end as lost. */
void questions_release(struct questions *questions);

/*
 * Adds a question at the end. Returns NULL if there are too many. text may be
 * NULL. It is cut if the queue holds too many bytes of text.
 */
struct question *questions_add(struct questions *questions,
			       unsigned char command, uint64_t began,
			       struct text *text);
/* Adds a query that the client sent before we saw the connection. */
void questions_unseen(struct questions *questions, unsigned char command,
		      uint64_t began, struct text *text);
/* The i-th question from the head; i < count. */
struct question *question_at(struct questions *questions, size_t i);
/* The question is a query: tells the listener. */
void question_begins(struct questions *questions, struct question *question,
		     enum query_kind kind);
/* If the question is a query, tells the listener how it ended. The question
 * stays in the queue, but is no longer a query. If `when` is before the query
 * began, the query is lost, whatever the answer is. */
void question_ends(struct questions *questions, struct question *question,
		   const struct answer *answer, uint64_t when);
/* The connection uses this database from now on; length 0: none, or it is
 * unknown. */
void questions_use(struct questions *questions, const char *name,
		   size_t length);
/* Stores the open query with this number; false if it is not open. */
must_check bool questions_query(const struct questions *questions,
				uint64_t number, struct query *ret_query);
/* Removes the head, or the i-th question. It must not be an open query. */
void questions_remove(struct questions *questions, size_t i);

#endif
