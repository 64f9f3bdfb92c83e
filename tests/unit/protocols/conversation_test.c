/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recorded conversations between real clients and real servers
 * (capture/record.py). Each must give the queries that its author has listed:
 * piece by piece, byte by byte, with unneeded bytes skipped, and from any piece
 * of the client on at which no query is open.
 */
#include "tests/unit/protocols/suites.h"

#include "protocols/connection.h"
#include "tests/unit/protocols/diary.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

struct said {
	bool client;
	unsigned char *bytes;
	size_t length;
};

struct conversation {
	const char *path;
	vec_of(char *) asked;
	char *notice;
	vec_of(struct said) said;
};

enum way { WAY_PIECES, WAY_BYTES, WAY_BLIND };

static unsigned char
nibble(char digit)
{
	return (unsigned char)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

static void
add_said(struct conversation *talk, const char *row)
{
	size_t length = strlen(row + 2) / 2;
	struct said said = { row[0] == 'c', xmalloc(length + 1), length };

	for (size_t i = 0; i < length; i++)
		said.bytes[i] = (unsigned char)(nibble(row[2 + 2 * i]) << 4 |
						nibble(row[3 + 2 * i]));
	vec_push(&talk->said, said);
}

static void
load(struct conversation *talk, const char *path)
{
	FILE *file = fopen(path, "r");
	char *row = NULL;
	size_t room = 0;
	ssize_t length;

	memset(talk, 0, sizeof(*talk));
	talk->path = path;
	ck_assert_ptr_nonnull(file);
	while ((length = getline(&row, &room, file)) > 0) {
		row[--length] = '\0';
		if (strncmp(row, "= notice ", 9) == 0)
			talk->notice = xasprintf("%s ", row + 9);
		else if (row[0] == '=')
			vec_push(&talk->asked, xstrdup(row + 2));
		else if (row[0] != '#')
			add_said(talk, row);
	}
	free(row);
	fclose(file);
	ck_assert_uint_gt(talk->said.count, 2);
}

static void
unload(struct conversation *talk)
{
	for (size_t i = 0; i < talk->asked.count; i++)
		free(talk->asked.at[i]);
	for (size_t i = 0; i < talk->said.count; i++)
		free(talk->said.at[i].bytes);
	vec_release(&talk->asked);
	vec_release(&talk->said);
	free(talk->notice);
}

/* Copies the bytes so that a sanitizer detects a read beyond them. */
static int
tell(struct connection *connection, bool client, const unsigned char *bytes,
     size_t length, uint64_t when)
{
	unsigned char *copy = xmalloc(length ? length : 1);
	int answer;

	memcpy(copy, bytes, length);
	answer = connection_bytes(connection, client, copy, length, when);
	free(copy);
	return answer;
}

static int
tell_said(struct connection *connection, const struct said *said, enum way way,
	  uint64_t when)
{
	size_t at = 0;
	int answer = 0;

	if (way == WAY_PIECES)
		return tell(connection, said->client, said->bytes, said->length,
			    when);
	while (at < said->length && answer == 0) {
		uint64_t blind = connection_blind(connection, said->client);

		if (way == WAY_BLIND && blind > 0) {
			if (blind > said->length - at)
				blind = said->length - at;
			connection_pass(connection, said->client, blind);
			at += blind;
			continue;
		}
		answer = tell(connection, said->client, said->bytes + at, 1,
			      when);
		at++;
	}
	return answer;
}

static enum protocol
protocol_said(const struct said *said)
{
	size_t have =
		said->length < PROTOCOL_LOOK ? said->length : PROTOCOL_LOOK;

	return protocol_of(PROTOCOLS_DATABASES, said->client, said->bytes, have,
			   said->length);
}

/*
 * Compares two entries without their texts, which may be unknown if the reading
 * begins late.
 */
static bool
same_but_text(const char *one, const char *other)
{
	size_t length = strcspn(other, " ");

	length += 1 + strcspn(other + length + 1, " ");
	length += 1 + strcspn(other + length + 1, " ");
	return strncmp(one, other, length) == 0 &&
	       (strcmp(one, other) == 0 || strcmp(other + length, " ?") == 0);
}

static void
compare(const struct conversation *talk, const struct diary *diary, size_t from)
{
	size_t skipped = talk->asked.count - diary->entries.count;

	if (from == 0) {
		for (size_t i = 0;
		     i < diary->entries.count && i < talk->asked.count; i++)
			ck_assert_msg(strcmp(diary->entries.at[i],
					     talk->asked.at[i]) == 0,
				      "%s: query %zu: '%s', not '%s'",
				      talk->path, i, diary->entries.at[i],
				      talk->asked.at[i]);
		ck_assert_msg(skipped == 0, "%s: %zu queries, not %zu",
			      talk->path, diary->entries.count,
			      talk->asked.count);
		ck_assert_str_eq(diary->notices,
				 talk->notice ? talk->notice : "");
		return;
	}
	ck_assert_uint_le(diary->entries.count, talk->asked.count);
	for (size_t i = 0; i < diary->entries.count; i++)
		ck_assert_msg(same_but_text(talk->asked.at[skipped + i],
					    diary->entries.at[i]),
			      "%s from piece %zu: '%s', not '%s'", talk->path,
			      from, diary->entries.at[i],
			      talk->asked.at[skipped + i]);
}

/* Reads the conversation from piece `from` on. Stores in idle[] for each piece
 * whether no query is open before it. */
static void
listen(const struct conversation *talk, size_t from, enum way way, bool *idle)
{
	enum protocol protocol = protocol_said(&talk->said.at[from]);
	struct connection *connection;
	struct diary diary;
	int answer = 0;

	ck_assert_msg(protocol != PROTOCOL_NONE, "%s: piece %zu is unknown",
		      talk->path, from);
	diary_init(&diary);
	connection = connection_new(protocol, &diary.listener);
	for (size_t i = from; i < talk->said.count && answer == 0; i++) {
		if (idle)
			idle[i] = !diary_waits(&diary);
		answer = tell_said(connection, &talk->said.at[i], way, i + 1);
		ck_assert_msg(answer != -EPROTO, "%s: lost at piece %zu",
			      talk->path, i);
	}
	connection_free(connection);
	compare(talk, &diary, from);
	diary_release(&diary);
}

static void
check_talk(const char *path)
{
	struct conversation talk;
	bool *idle;
	size_t joined = 0;

	load(&talk, path);
	idle = xcalloc(talk.said.count, sizeof(*idle));
	listen(&talk, 0, WAY_PIECES, idle);
	listen(&talk, 0, WAY_BYTES, NULL);
	listen(&talk, 0, WAY_BLIND, NULL);
	for (size_t i = 1; i < talk.said.count; i++) {
		if (!talk.said.at[i].client || !idle[i] ||
		    protocol_said(&talk.said.at[i]) == PROTOCOL_NONE)
			continue;
		listen(&talk, i, WAY_PIECES, NULL);
		listen(&talk, i, WAY_BYTES, NULL);
		joined++;
	}
	/* Reading must be possible from many pieces on: at least half as many
	 * as there are queries. */
	if (!talk.notice)
		ck_assert_msg(2 * joined >= talk.asked.count,
			      "%s: only %zu places to join at", path, joined);
	free(idle);
	unload(&talk);
}

START_TEST(recorded)
{
	const char *pattern = "tests/unit/protocols/capture/*.conversation";
	glob_t found;

	ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
	ck_assert_uint_ge(found.gl_pathc, 10);
	for (size_t i = 0; i < found.gl_pathc; i++)
		check_talk(found.gl_pathv[i]);
	globfree(&found);
}
END_TEST

Suite *
conversation_suite(void)
{
	Suite *suite = suite_create("conversation");
	TCase *tests = tcase_create("conversation");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, recorded);
	suite_add_tcase(suite, tests);
	return suite;
}
