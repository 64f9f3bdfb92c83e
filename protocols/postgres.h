/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PostgreSQL's frontend/backend protocol, version 3, seen from between the
 * two: every query that goes by, from its text to the end of its answer. It
 * may be joined in the middle, at the beginning of a message.
 *
 * A query is a Query message, however many statements are in it, or an
 * Execute. A Parse is a query of the kind QUERY_PREPARE; where it fails and an
 * Execute of it was sent along, it is the Execute that has failed. Pipelines
 * and COPY are followed. An encrypted connection is left alone from where it
 * becomes so.
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
	struct texts texts; /* of statements and of portals */
	struct stream client;
	struct stream server;
	bool starting;	       /* messages of the client have no letter yet */
	bool asked_encryption; /* and the server answers with one byte */
	bool over;	       /* encrypted */
	bool copying;
	bool ended;    /* the head has an answer, but not ReadyForQuery */
	bool skipping; /* to a Sync that the client has not sent yet */
	struct answer answer;
	/* Of the last Bind: its statement, its portal, and what came with it,
	 * until it is executed. */
	char bound[QUERY_NAME_MOST];
	uint64_t portal;
	struct bound *values;
};

/* starting: from its first byte. */
void postgres_init(struct postgres *postgres, struct query_listener *listener,
		   bool starting);
void postgres_release(struct postgres *postgres);
/* Bytes from the client, or from the server: 0, or -EPROTO when they cannot
 * be understood; open queries are then lost, and postgres is to be released. */
must_check int postgres_client(struct postgres *postgres, struct piece piece);
must_check int postgres_server(struct postgres *postgres, struct piece piece);

/* Whether these begin a connection. */
bool postgres_detect_start(const unsigned char *bytes, size_t have,
			   uint64_t whole);
/* Whether these are messages of a client, of a piece with `whole` bytes of
 * which `have` are there. */
bool postgres_detect_client(const unsigned char *bytes, size_t have,
			    uint64_t whole);

#endif
