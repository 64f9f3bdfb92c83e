/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PostgreSQL's frontend/backend protocol, version 3, read from the bytes of
 * both directions: every query, from its text to the end of its answer. We may
 * begin in the middle of a connection, at the beginning of a message.
 *
 * A query is a Query message, with one or more statements, or an Execute. A
 * Parse is a query of the kind QUERY_PREPARE. If it fails and an Execute of it
 * was sent along, the Execute has failed instead. Pipelines and COPY are
 * followed. When a connection becomes encrypted, it is not followed any more.
 *
 * Facts: PostgreSQL 15 documentation, chapter 55 "Frontend/Backend Protocol"
 * (flow: 55.2, formats: 55.7); the captured connections under
 * tests/unit/protocols/capture.
 */
#ifndef PROTOCOLS_POSTGRES_H
#define PROTOCOLS_POSTGRES_H

#include "protocols/questions.h"
#include "protocols/stream.h"

struct postgres {
	struct questions questions;
	struct texts texts; /* texts of statements and of portals */
	struct stream client;
	struct stream server;
	bool starting;	       /* the client's messages have no letter yet */
	bool asked_encryption; /* the server's answer will be one byte */
	bool over;	       /* the connection has become encrypted */
	bool copying;
	/* the first question has an answer, but no ReadyForQuery */
	bool ended;
	/* messages are skipped up to a Sync that the client has not sent yet */
	bool skipping;
	struct answer answer;
	bool logging_in; /* the client has sent its start, without an answer */
	struct login login;
	/* The last Bind: its statement, its portal and its values, until it is
	 * executed. */
	char bound[QUERY_NAME_MOST];
	uint64_t portal;
	struct bound *values;
};

/* starting: the connection's first byte comes next. */
void postgres_init(struct postgres *postgres, struct query_listener *listener,
		   bool starting);
void postgres_release(struct postgres *postgres);
/* Takes bytes from the client, or from the server. Returns 0, or -EPROTO if
 * they make no sense; open queries are then lost, and postgres must be
 * released. */
void postgres_asked(struct postgres *postgres, struct text *text,
		    uint64_t when);
must_check int postgres_client(struct postgres *postgres, struct piece piece);
must_check int postgres_server(struct postgres *postgres, struct piece piece);

/* True if these can be the first bytes of a connection. */
bool postgres_detect_start(const unsigned char *bytes, size_t have,
			   uint64_t whole);
/* True if these can be messages of a client. They are the first `have` bytes of
 * a piece with `whole` bytes. */
bool postgres_detect_client(const unsigned char *bytes, size_t have,
			    uint64_t whole);

#endif
