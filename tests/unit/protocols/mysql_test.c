/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rare features of MySQL's protocol, which the recorded conversations do not
 * have. */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"

#include "protocols/connection.h"
#include "tests/unit/protocols/diary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct scene {
	struct diary diary;
	struct connection *connection;
	uint64_t now;
};

static void
open_scene(struct scene *scene)
{
	diary_init(&scene->diary);
	scene->connection =
		connection_new(PROTOCOL_MYSQL, &scene->diary.listener);
	scene->now = 0;
}

static void
close_scene(struct scene *scene)
{
	connection_free(scene->connection);
	diary_release(&scene->diary);
}

/* Ends the connection, which also ends open queries. */
static void
end_connection(struct scene *scene)
{
	connection_free(scene->connection);
	scene->connection = NULL;
}

static int
send_bytes(struct scene *scene, bool client, unsigned sequence,
	   const char *body, size_t length)
{
	unsigned char *copy = malloc(length + 4);
	int answer;

	copy[0] = (unsigned char)length;
	copy[1] = (unsigned char)(length >> 8);
	copy[2] = (unsigned char)(length >> 16);
	copy[3] = (unsigned char)sequence;
	memcpy(copy + 4, body, length);
	answer = connection_bytes(scene->connection, client, copy, length + 4,
				  ++scene->now);
	free(copy);
	return answer;
}

#define CLIENT(sequence, text) \
	send_bytes(&scene, true, sequence, text, sizeof(text) - 1)
#define SERVER(sequence, text) \
	send_bytes(&scene, false, sequence, text, sizeof(text) - 1)
#define OKAY(call) ck_assert_int_eq(call, 0)

#define EXPECT_QUERY(i, entry)                                      \
	do {                                                        \
		ck_assert_uint_gt(scene.diary.entries.count, i);    \
		ck_assert_ptr_nonnull(scene.diary.entries.at[i]);   \
		ck_assert_str_eq(scene.diary.entries.at[i], entry); \
	} while (0)

START_TEST(error_and_times)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3SELEKT"));
	OKAY(SERVER(1, "\377\50\4#42000You have an error"));
	EXPECT_QUERY(0, "text failed - SELEKT");
	ck_assert_uint_eq(scene.diary.ends.at[0].code, 1064);
	ck_assert_str_eq(scene.diary.ends.at[0].state, "42000");
	ck_assert_str_eq(scene.diary.ends.at[0].message, "You have an error");
	ck_assert_uint_eq(scene.diary.ends.at[0].began, 1);
	ck_assert_uint_eq(scene.diary.ends.at[0].answered, 2);
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 2);
	close_scene(&scene);
}
END_TEST

/* The status flag that says whether a transaction is open is in OK, in EOF, and
 * in OK in place of EOF. An error has no status. */
START_TEST(transactions_are_told)
{
	static const enum query_transaction states[] = {
		QUERY_TRANSACTION_OPEN,	   QUERY_TRANSACTION_NONE,
		QUERY_TRANSACTION_OPEN,	   QUERY_TRANSACTION_OPEN,
		QUERY_TRANSACTION_UNKNOWN,
	};
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3BEGIN"));
	OKAY(SERVER(1, "\0\0\0\3\0\0\0"));
	OKAY(CLIENT(0, "\3COMMIT"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	OKAY(CLIENT(0, "\3SELECT 1"));
	OKAY(SERVER(1, "\1"));
	OKAY(SERVER(2, "\3def"));
	OKAY(SERVER(3, "\376\0\0\2\0"));
	OKAY(SERVER(4, "\1001"));
	OKAY(SERVER(5, "\376\0\0\3\0"));
	OKAY(CLIENT(0, "\3SELECT 2"));
	OKAY(SERVER(1, "\1"));
	OKAY(SERVER(2, "\3def"));
	OKAY(SERVER(3, "\1002"));
	OKAY(SERVER(4, "\376\0\0\3\0\0\0"));
	OKAY(CLIENT(0, "\3SELEKT"));
	OKAY(SERVER(1, "\377\50\4#42000You have an error"));
	ck_assert_uint_eq(scene.diary.ends.count, array_size(states));
	for (size_t i = 0; i < array_size(states); i++)
		ck_assert_int_eq(scene.diary.ends.at[i].transaction, states[i]);
	close_scene(&scene);
}
END_TEST

/*
 * An error of the server that closes an idle connection
 * (ER_CLIENT_INTERACTION_TIMEOUT).
 */
#define UNASKED "\377\277\17#HY000disconnected"

START_TEST(error_before_the_question)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3SELECT 1"));
	OKAY(SERVER(0, UNASKED));
	EXPECT_QUERY(0, "text failed - SELECT 1");
	ck_assert_uint_eq(scene.diary.ends.at[0].code, 4031);
	ck_assert_str_eq(scene.diary.ends.at[0].message, "disconnected");
	ck_assert_uint_eq(scene.diary.ends.at[0].began, 1);
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 2);
	OKAY(CLIENT(0, "\3SELECT 2"));
	end_connection(&scene);
	EXPECT_QUERY(1, "text lost - SELECT 2");
	ck_assert_uint_eq(scene.diary.ends.at[1].ended, 0);
	close_scene(&scene);
}
END_TEST

START_TEST(answers_without_a_question)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(SERVER(1, "\0\5\0\2\0\0\0"));
	OKAY(SERVER(0, UNASKED));
	ck_assert_uint_eq(scene.diary.entries.count, 0);
	OKAY(CLIENT(0, "\3DO 1"));
	ck_assert(diary_waits(&scene.diary));
	OKAY(SERVER(1, "\0\5\0\2\0\0\0"));
	EXPECT_QUERY(0, "text done 5 DO 1");
	ck_assert_uint_eq(scene.diary.ends.at[0].began, 3);
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 4);
	/*
	 * A second answer and an error come after the end of the answer. The
	 * diary would fail if the query ended twice.
	 */
	OKAY(SERVER(2, "\0\5\0\2\0\0\0"));
	OKAY(SERVER(0, UNASKED));
	ck_assert_uint_eq(scene.diary.entries.count, 1);
	close_scene(&scene);
}
END_TEST

START_TEST(end_before_the_beginning)
{
	struct scene scene;

	open_scene(&scene);
	scene.now = 10;
	OKAY(CLIENT(0, "\3DO 1"));
	scene.now = 5;
	OKAY(SERVER(1, "\0\5\0\2\0\0\0"));
	EXPECT_QUERY(0, "text lost - DO 1");
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 0);
	close_scene(&scene);
}
END_TEST

START_TEST(progress_reports)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3ALTER"));
	OKAY(SERVER(1, "\377\377\377\1\1\2\0\0\0\4half"));
	OKAY(SERVER(2, "\377\377\377\1\1\2\0\0\0\4more"));
	ck_assert(diary_waits(&scene.diary));
	OKAY(SERVER(3, "\0\5\0\2\0\0\0"));
	EXPECT_QUERY(0, "text done 5 ALTER");
	close_scene(&scene);
}
END_TEST

START_TEST(cached_metadata)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\27\1\0\0\0\0\1\0\0\0"));
	OKAY(SERVER(1, "\1\0"));
	OKAY(SERVER(2, "\0\0\5"));
	OKAY(SERVER(3, "\376\0\0\2\0\0\0"));
	EXPECT_QUERY(0, "execute done 1 ?");
	ck_assert_str_eq(scene.diary.ends.at[0].name, "1");
	OKAY(CLIENT(0, "\27\1\0\0\0\0\1\0\0\0"));
	OKAY(SERVER(1, "\1\1"));
	OKAY(SERVER(2, "\3def"));
	OKAY(SERVER(3, "\376\0\0\2\0\0\0"));
	EXPECT_QUERY(1, "execute done 0 ?");
	close_scene(&scene);
}
END_TEST

START_TEST(pipelined_prepare_and_execute)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\26DO ?"));
	OKAY(CLIENT(0, "\27\377\377\377\377\0\1\0\0\0"));
	OKAY(SERVER(1, "\0\7\0\0\0\0\0\1\0\0\0\0"));
	OKAY(SERVER(2, "\3def"));
	OKAY(SERVER(3, "\376\0\0\2\0"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	EXPECT_QUERY(0, "prepare done - DO ?");
	EXPECT_QUERY(1, "execute done 0 DO ?");
	OKAY(CLIENT(0, "\27\7\0\0\0\0\1\0\0\0"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	EXPECT_QUERY(2, "execute done 0 DO ?");
	OKAY(CLIENT(0, "\31\7\0\0\0"));
	OKAY(CLIENT(0, "\27\7\0\0\0\0\1\0\0\0"));
	OKAY(SERVER(1, "\377\333\4#HY000Unknown prepared statement"));
	EXPECT_QUERY(3, "execute failed - ?");
	close_scene(&scene);
}
END_TEST

START_TEST(attributes)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3\0\1DO 1"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	EXPECT_QUERY(0, "text done 0 DO 1");
	OKAY(CLIENT(0, "\3\1\1\0\1\376\0\1a\1bDO 1"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	EXPECT_QUERY(1, "text done 0 ?");
	close_scene(&scene);
}
END_TEST

#define PREPARED(count) "\0\7\0\0\0\0\0" count "\0\0\0\0"
#define EXECUTED "\27\7\0\0\0\0\1\0\0\0"
#define FINE "\0\0\0\2\0\0\0"

START_TEST(bound_values)
{
	struct scene scene;

	open_scene(&scene);
	scene.diary.listener.wants_values = true;
	OKAY(CLIENT(0, "\26DO ?, ?, ?"));
	OKAY(SERVER(1, PREPARED("\3")));
	OKAY(CLIENT(0, EXECUTED "\2\1\1\200\3\0\376\0\377\2ab"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(1, "execute done 0 DO ?, ?, ? [255, NULL, 'ab']");
	/* The types that were sent stay valid for later executions. */
	OKAY(CLIENT(0, EXECUTED "\0\0\1\376\377\377\377\1c"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(2, "execute done 0 DO ?, ?, ? [1, -2, 'c']");
	/*
	 * The value of one parameter was sent earlier, and counts for one
	 * execution only.
	 */
	OKAY(CLIENT(0, "\30\7\0\0\0\2\0long"));
	OKAY(CLIENT(0, EXECUTED "\0\0\2\3\0\0\0"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(3, "execute done 0 DO ?, ?, ? [2, 3, (sent before)]");
	OKAY(CLIENT(0, EXECUTED "\0\0\2\3\0\0\0\0"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(4, "execute done 0 DO ?, ?, ? [2, 3, '']");
	/* Values that are longer than their packet. */
	OKAY(CLIENT(0, EXECUTED "\0\0\2\3\0\0\0\5ab"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(5, "execute done 0 DO ?, ?, ? [2, 3, 'ab'...]");
	OKAY(CLIENT(0, EXECUTED "\0\0\2"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(6, "execute done 0 DO ?, ?, ? [2...]");
	close_scene(&scene);
}
END_TEST

START_TEST(bound_times)
{
	struct scene scene;

	open_scene(&scene);
	scene.diary.listener.wants_values = true;
	OKAY(CLIENT(0, "\26DO ?, ?, ?, ?, ?"));
	OKAY(SERVER(1, PREPARED("\5")));
	OKAY(CLIENT(0, EXECUTED "\0\1\12\0\14\0\13\0\13\0\5\0"
				"\4\352\7\1\2"
				"\13\352\7\1\2\3\4\5\6\0\0\0"
				"\10\1\1\0\0\0\2\3\4"
				"\0"
				"\0\0\0\0\0\0\370\77"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(1, "execute done 0 DO ?, ?, ?, ?, ? [2026-01-02, "
			"2026-01-02 03:04:05.000006, -26:03:04, 00:00:00, "
			"1.5]");
	close_scene(&scene);
}
END_TEST

/* Query attributes of the client are values, too, and have names (MySQL 8). */
START_TEST(bound_attributes)
{
	struct scene scene;

	open_scene(&scene);
	scene.diary.listener.wants_values = true;
	OKAY(CLIENT(0, "\26DO ?"));
	OKAY(SERVER(1, PREPARED("\1")));
	OKAY(CLIENT(0, "\27\7\0\0\0\10\1\0\0\0\2\0\1\1\0\0\376\0\1n"
		       "\5\1x"));
	OKAY(SERVER(1, FINE));
	EXPECT_QUERY(1, "execute done 0 DO ? [5, 'x']");
	close_scene(&scene);
}
END_TEST

START_TEST(beyond_16_mib)
{
	size_t full = 0xffffff;
	char *body = calloc(1, full);
	struct scene scene;

	memset(body, 'x', full);
	body[0] = 3;
	open_scene(&scene);
	OKAY(send_bytes(&scene, true, 0, body, full));
	OKAY(CLIENT(1, "yyy"));
	OKAY(SERVER(2, "\1"));
	OKAY(SERVER(3, "\3def"));
	body[0] = '\376';
	OKAY(send_bytes(&scene, false, 4, body, full));
	OKAY(SERVER(5, "zzz"));
	OKAY(SERVER(6, "\376\0\0\2\0\0\0"));
	ck_assert_uint_eq(scene.diary.entries.count, 1);
	ck_assert_uint_eq(scene.diary.ends.at[0].rows, 1);
	ck_assert_uint_eq(scene.diary.ends.at[0].length, QUERY_TEXT_MOST);
	ck_assert_uint_ge(scene.diary.ends.at[0].whole, full - 1);
	close_scene(&scene);
	free(body);
}
END_TEST

START_TEST(out_of_step)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3SELECT 1"));
	ck_assert_int_eq(SERVER(7, "\0\0\0\2\0\0\0"), -EPROTO);
	EXPECT_QUERY(0, "text lost - SELECT 1");
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 0);
	ck_assert_str_eq(scene.diary.notices, "lost ");
	ck_assert_int_eq(CLIENT(0, "\3SELECT 1"), -EPROTO);
	close_scene(&scene);
}
END_TEST

START_TEST(joined_while_answered)
{
	struct scene scene;

	/* The end of an answer to a command that xtrace has not seen, then
	 * another command. */
	open_scene(&scene);
	OKAY(connection_bytes(scene.connection, false, "\377\377\377xyz", 6,
			      1));
	OKAY(CLIENT(0, "\3DO 1"));
	OKAY(SERVER(1, "\0\0\0\2\0\0\0"));
	EXPECT_QUERY(0, "text done 0 DO 1");
	close_scene(&scene);
}
END_TEST

START_TEST(encrypted)
{
	/* Capabilities with CLIENT_SSL and CLIENT_PROTOCOL_41, 32 bytes. */
	struct scene scene;

	open_scene(&scene);
	ck_assert_int_eq(send_bytes(&scene, true, 1,
				    "\5\252\0\0abcdefghijkl"
				    "abcdefghijklabcd",
				    32),
			 -ENODATA);
	ck_assert_str_eq(scene.diary.notices, "encrypted ");
	close_scene(&scene);
}
END_TEST

START_TEST(unanswered)
{
	struct scene scene;

	open_scene(&scene);
	OKAY(CLIENT(0, "\3SELECT 1"));
	connection_free(scene.connection);
	scene.connection = NULL;
	EXPECT_QUERY(0, "text lost - SELECT 1");
	close_scene(&scene);
}
END_TEST

START_TEST(too_many)
{
	struct scene scene;
	int answer = 0, count = 0;

	open_scene(&scene);
	while (answer == 0 && count < 100000) {
		answer = CLIENT(0, "\3SELECT 1");
		count++;
	}
	ck_assert_int_eq(answer, -EPROTO);
	ck_assert_int_le(count, 1025);
	close_scene(&scene);
}
END_TEST

Suite *
mysql_suite(void)
{
	Suite *suite = suite_create("mysql");
	TCase *tests = tcase_create("mysql");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, error_and_times);
	tcase_add_test(tests, transactions_are_told);
	tcase_add_test(tests, error_before_the_question);
	tcase_add_test(tests, answers_without_a_question);
	tcase_add_test(tests, end_before_the_beginning);
	tcase_add_test(tests, progress_reports);
	tcase_add_test(tests, cached_metadata);
	tcase_add_test(tests, pipelined_prepare_and_execute);
	tcase_add_test(tests, attributes);
	tcase_add_test(tests, bound_values);
	tcase_add_test(tests, bound_times);
	tcase_add_test(tests, bound_attributes);
	tcase_add_test(tests, beyond_16_mib);
	tcase_add_test(tests, out_of_step);
	tcase_add_test(tests, joined_while_answered);
	tcase_add_test(tests, encrypted);
	tcase_add_test(tests, unanswered);
	tcase_add_test(tests, too_many);
	suite_add_tcase(suite, tests);
	return suite;
}
