/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzzers of the protocols of connections share. An input is a list of
 * pieces. A piece begins with a byte, which has the direction (0x80: from the
 * client) and the length. If the length is 0x7f, two bytes with the length
 * follow. Then the bytes of the piece follow; if fewer are left, the input
 * ends. tests/unit/protocols/capture/record.py --corpus makes inputs of
 * recorded conversations.
 *
 * For any input, the promises to a listener hold: a query begins once, with the
 * next number; it ends once, after its beginning or at an unknown time; and it
 * is within the bounds. The queries are the same if the bytes are skipped that
 * connection_blind() says are not needed. The promises also hold if every
 * second time is earlier than the time before.
 */
#ifndef TESTS_FUZZ_CONVERSATION_FUZZ_H
#define TESTS_FUZZ_CONVERSATION_FUZZ_H

#include "base/attr.h"
#include "protocols/connection.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct judge {
	struct query_listener listener;
	uint64_t began;
	uint64_t ended;
	uint64_t sum; /* sum of everything that the listener was told */
	bool lost;
};

static inline void
judge_sum(struct judge *judge, uint64_t value)
{
	judge->sum = (judge->sum ^ value) * UINT64_C(0x100000001b3);
}

static inline void
judge_began(struct query_listener *listener, const struct query *query)
{
	struct judge *judge = container_of(listener, struct judge, listener);

	assert(query->number == ++judge->began);
	assert(query->length <= QUERY_TEXT_MOST);
	assert(query->length <= query->whole);
	assert(!query->text || query->text[query->length] == '\0');
	assert(memchr(query->name, '\0', sizeof(query->name)));
	for (size_t i = 0; i < query->length; i++)
		judge_sum(judge, (unsigned char)query->text[i]);
}

static inline void
judge_ended(struct query_listener *listener, const struct query *query)
{
	struct judge *judge = container_of(listener, struct judge, listener);

	assert(query->number <= judge->began);
	assert(++judge->ended <= judge->began);
	assert(query->outcome != QUERY_PENDING);
	assert((query->ended == 0) == (query->outcome == QUERY_LOST));
	assert(!query->ended || query->began <= query->ended);
	assert(memchr(query->message, '\0', sizeof(query->message)));
	assert(memchr(query->state, '\0', sizeof(query->state)));
	judge_sum(judge, query->number);
	judge_sum(judge, query->outcome);
	assert(memchr(query->reply.text, '\0', sizeof(query->reply.text)));
	judge_sum(judge, query->rows);
	judge_sum(judge, (uint64_t)query->reply.number);
}

static inline void
judge_noticed(struct query_listener *listener, enum query_notice notice)
{
	struct judge *judge = container_of(listener, struct judge, listener);

	assert(!judge->lost);
	judge->lost = true;
	judge_sum(judge, notice);
}

/* Gives one piece to the connection, in a copy of exactly its length, so that a
 * sanitizer finds reads behind its end. */
static inline int
judge_tell(struct connection *connection, bool client, const uint8_t *bytes,
	   size_t length, uint64_t when, bool blind)
{
	uint8_t *copy;
	int answer;

	if (blind) {
		uint64_t pass = connection_blind(connection, client);

		if (pass > length)
			pass = length;
		connection_pass(connection, client, pass);
		bytes += pass;
		length -= pass;
	}
	copy = malloc(length ? length : 1);
	if (length > 0)
		memcpy(copy, bytes, length);
	protocol_of(~0u, client, copy,
		    length < PROTOCOL_LOOK ? length : PROTOCOL_LOOK, length);
	answer = connection_bytes(connection, client, copy, length, when);
	free(copy);
	return answer;
}

static inline uint64_t
judge_all(enum protocol protocol, const uint8_t *bytes, size_t length,
	  bool blind, bool back)
{
	struct judge judge = {
		.listener = { .begin = judge_began,
			      .end = judge_ended,
			      .notice = judge_noticed,
			      .wants_values = true },
	};
	struct connection *connection =
		connection_new(protocol, &judge.listener);
	uint64_t when = 1;

	while (length > 0) {
		bool client = *bytes & 0x80;
		size_t count = *bytes++ & 0x7f;

		length--;
		if (count == 0x7f && length >= 2) {
			count = bytes[0] | (size_t)bytes[1] << 8;
			bytes += 2;
			length -= 2;
		}
		if (count > length)
			count = length;
		++when;
		if (judge_tell(connection, client, bytes, count,
			       back ? when ^ 1 : when, blind) < 0)
			break;
		bytes += count;
		length -= count;
	}
	connection_free(connection);
	assert(judge.began == judge.ended);
	return judge.sum;
}

static inline void
judge_input(enum protocol protocol, const uint8_t *bytes, size_t length)
{
	uint64_t seen, blind;

	if (length > 1 << 20)
		return;
	seen = judge_all(protocol, bytes, length, false, false);
	blind = judge_all(protocol, bytes, length, true, false);
	assert(seen == blind);
	judge_all(protocol, bytes, length, false, true);
}

#endif
