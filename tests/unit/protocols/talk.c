/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/protocols/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
talk_open(struct talk *talk, enum protocol protocol, size_t step)
{
	diary_init(&talk->diary);
	talk->connection = connection_new(protocol, &talk->diary.listener);
	talk->now = 0;
	talk->step = step;
}

void
talk_close(struct talk *talk)
{
	connection_free(talk->connection);
	diary_release(&talk->diary);
}

int
talk_say(struct talk *talk, bool client, const char *bytes)
{
	return talk_give(talk, client, bytes, strlen(bytes));
}

int
talk_give(struct talk *talk, bool client, const void *bytes, size_t left)
{
	int r = 0;

	talk->now++;
	while (left > 0 && r == 0) {
		size_t count = left < talk->step ? left : talk->step;
		unsigned char *copy = malloc(count);

		memcpy(copy, bytes, count);
		r = connection_bytes(talk->connection, client, copy, count,
				     talk->now);
		free(copy);
		bytes = (const char *)bytes + count;
		left -= count;
	}
	return r;
}

static void
add_reply(struct str *to, const struct query *query)
{
	if (query->outcome == QUERY_LOST)
		str_add(to, " ~");
	else if (query->outcome == QUERY_FAILED)
		str_addf(to, " ! %s", query->message);
	else if (query->reply.known)
		str_addf(to, " = %lld", (long long)query->reply.number);
	else
		str_addf(to, " = %s", query->reply.text);
	if (query->rows_known)
		str_addf(to, " (%llu)", (unsigned long long)query->rows);
	str_add_char(to, '\n');
}

const char *
talk_told(struct talk *talk)
{
	static char told[4096];
	struct str text;

	str_init(&text);
	for (size_t i = 0; i < talk->diary.entries.count; i++) {
		const char *entry = talk->diary.entries.at[i];
		const struct query *query = &talk->diary.ends.at[i];

		if (!entry)
			continue;
		/* an entry is "text done - TEXT"; only TEXT is wanted */
		for (int word = 0; word < 3; word++)
			entry = strchr(entry, ' ') + 1;
		str_add(&text, entry);
		add_reply(&text, query);
	}
	snprintf(told, sizeof(told), "%s", str_text(&text));
	str_release(&text);
	return told;
}
