/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A talk is a connection and what it tells a diary, for protocols of text. The
 * bytes are given as they are, or one by one.
 */
#ifndef TESTS_UNIT_PROTOCOLS_TALK_H
#define TESTS_UNIT_PROTOCOLS_TALK_H

#include "protocols/connection.h"
#include "tests/unit/protocols/diary.h"

struct talk {
	struct diary diary;
	struct connection *connection;
	uint64_t now;
	size_t step; /* bytes that are given at once */
};

void talk_open(struct talk *talk, enum protocol protocol, size_t step);
void talk_close(struct talk *talk);
/* Returns what connection_bytes() returned last. */
int talk_say(struct talk *talk, bool client, const char *bytes);
/* Like talk_say() for `left` bytes, of which some may be zero. */
int talk_give(struct talk *talk, bool client, const void *bytes, size_t left);
/* All queries that have ended, in the order in which they began: "TEXT =
 * REPLY\n", "TEXT ! MESSAGE\n", or "TEXT ~\n" if the query was lost. */
const char *talk_told(struct talk *talk);

#endif
