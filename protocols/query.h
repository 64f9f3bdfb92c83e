/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query is a request of a client that the database answers: a text, or the
 * execution of a text that was prepared earlier. It begins with the first byte
 * of the question and ends with the last byte of the answer. If the server
 * reports an error and the connection ends before the rest of the answer, the
 * query ends with that error. A connection tells its listener when a query
 * begins and when it ends.
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
	/* 64 characters, each of up to four bytes, and the NUL */
	QUERY_DATABASE_MOST = 257,
	QUERY_REPLY_MOST = 64,
};

enum query_kind {
	QUERY_TEXT,    /* a text that is run at once */
	QUERY_PREPARE, /* a text that the server keeps */
	QUERY_EXECUTE, /* a text that the server has kept */
};

enum query_outcome {
	QUERY_PENDING,
	QUERY_DONE,
	/* the query failed with the server's code, state and message */
	QUERY_FAILED,
	/* the server has not run the query, because an earlier one failed */
	QUERY_SKIPPED,
	QUERY_LOST, /* we could not follow the connection, or it ended
		     * without an error from the server */
};

/* Is a transaction open on the connection when the query is over? */
enum query_transaction {
	QUERY_TRANSACTION_UNKNOWN,
	QUERY_TRANSACTION_NONE,
	QUERY_TRANSACTION_OPEN,
	/* PostgreSQL: the transaction can only be rolled back */
	QUERY_TRANSACTION_FAILED,
};

enum query_value_kind {
	QUERY_VALUE_NULL,
	/* the text of a number or a time, which is shown without quotes */
	QUERY_VALUE_PLAIN,
	QUERY_VALUE_TEXT,
};

/* What the server replied, in a protocol in which this is not a number of
 * rows. */
struct query_reply {
	bool known; /* the number is the reply; else the text, if it has one */
	int64_t number;
	char text[QUERY_REPLY_MOST];
};

/* The text of a reply if the client wants no reply from the server. */
#define QUERY_NO_REPLY "(no reply)"

/* The value of a parameter. */
struct query_value {
	enum query_value_kind kind;
	const char *bytes; /* the first length of `whole` bytes */
	size_t length;
	size_t whole;
	/* If a value of the kind TEXT is in PostgreSQL's binary format, the OID
	 * of its type; else 0. */
	uint32_t type;
};

struct query {
	uint64_t number; /* the number of the query in its connection, from 1 */
	enum query_kind kind;
	/* The first `length` bytes of the query's text, which has `whole`
	 * bytes; not terminated. NULL: a statement that was prepared before we
	 * saw the connection. */
	const char *text;
	size_t length;
	uint64_t whole;
	/* The known values, if the listener wants values. */
	const struct query_value *values;
	size_t value_count;
	bool values_cut; /* more values were bound than are in values */
	/* name of the prepared statement; MySQL: its id */
	char name[QUERY_NAME_MOST];
	uint64_t began;	   /* time of the question's first byte, in ns */
	uint64_t answered; /* time of the answer's first packet, in ns, or 0 */
	/* Time of the answer's last packet, in ns, never before began. It is 0
	 * if and only if the outcome is QUERY_LOST, because then the end is not
	 * known. */
	uint64_t ended;
	enum query_outcome outcome;
	unsigned code; /* MySQL's error number, else 0 */
	char state[6]; /* SQLSTATE, or "" */
	char message[QUERY_MESSAGE_MOST];
	bool rows_known;
	uint64_t rows;	/* received or changed rows */
	uint64_t bytes; /* bytes of the answer that were received */
	struct query_reply reply;
	enum query_transaction transaction;
	/* The database that the connection uses, as far as the answers to
	 * earlier queries tell; NULL: it has none, or it is unknown. */
	const char *database;
};

/* How a login that we saw from its first packet has ended. */
struct login {
	bool failed; /* with the server's code, state and message */
	unsigned code;
	char state[6];
	char message[QUERY_MESSAGE_MOST];
	char user[QUERY_NAME_MOST];	    /* or "" */
	char database[QUERY_DATABASE_MOST]; /* or "" */
	uint64_t ended; /* time of the packet that says so, in ns */
};

struct text;

enum query_notice {
	/*
	 * the connection is compressed, as the client wanted, and cannot be
	 * read
	 */
	QUERY_NOTICE_COMPRESSED,
	/* the connection is encrypted by TLS from now on */
	QUERY_NOTICE_ENCRYPTED,
	/* The bytes make no sense; we wait for the start of a message. */
	QUERY_NOTICE_LOST,
};

/* The arguments of its functions are valid only during the call. Every query
 * that begins also ends once, at the latest in connection_free(). */
struct query_listener {
	void (*begin)(struct query_listener *listener,
		      const struct query *query);
	void (*end)(struct query_listener *listener, const struct query *query);
	void (*notice)(struct query_listener *listener,
		       enum query_notice notice);
	/*
	 * The client executes a statement that was prepared before we saw the
	 * connection; name as in struct query. Returns its text, which is then
	 * the caller's, or NULL. This function may be missing (NULL).
	 */
	struct text *(*prepared)(struct query_listener *listener,
				 const char *name);
	/* The login is over. May be NULL. */
	void (*login)(struct query_listener *listener,
		      const struct login *login);
	bool wants_values;
	bool wants_query_strings; /* in the texts of HTTP requests */
};

#endif
