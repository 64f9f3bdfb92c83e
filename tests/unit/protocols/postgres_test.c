/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rare features of PostgreSQL's protocol, which the recorded conversations do
 * not have. */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"
#include "protocols/connection.h"
#include "protocols/texts.h"
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
open_scene(struct scene *scene, enum protocol protocol)
{
	diary_init(&scene->diary);
	scene->connection = connection_new(protocol, &scene->diary.listener);
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
send_bytes(struct scene *scene, bool client, const char *bytes, size_t length)
{
	unsigned char *copy = malloc(length ? length : 1);
	int answer;

	memcpy(copy, bytes, length);
	answer = connection_bytes(scene->connection, client, copy, length,
				  ++scene->now);
	free(copy);
	return answer;
}

#define CLIENT(text) send_bytes(&scene, true, text, sizeof(text) - 1)
#define SERVER(text) send_bytes(&scene, false, text, sizeof(text) - 1)
#define OKAY(call) ck_assert_int_eq(call, 0)

#define EXPECT_QUERY(i, entry)                                      \
	do {                                                        \
		ck_assert_uint_gt(scene.diary.entries.count, i);    \
		ck_assert_ptr_nonnull(scene.diary.entries.at[i]);   \
		ck_assert_str_eq(scene.diary.entries.at[i], entry); \
	} while (0)

#define PARSE "P\0\0\0\13s\0DO\0\0\0"
#define PARSE_UNNAMED "P\0\0\0\12\0DO\0\0\0"
#define BIND "B\0\0\0\15\0s\0\0\0\0\0\0\0"
#define BIND_UNNAMED "B\0\0\0\14\0\0\0\0\0\0\0\0"
#define EXECUTE "E\0\0\0\11\0\0\0\0\0"
#define SYNC "S\0\0\0\4"
#define PARSED "1\0\0\0\4"
#define BOUND "2\0\0\0\4"
#define COMPLETE "C\0\0\0\15SELECT 1\0"
#define READY "Z\0\0\0\5I"
#define FAULT "E\0\0\0\27SERROR\0C42601\0Mno\0\0"
#define FATAL "E\0\0\0\37SFATAL\0VFATAL\0C57P01\0Mend\0\0"
#define FATAL_OLD "E\0\0\0\30SFATAL\0C57P01\0Mend\0\0"
#define FATAL_FRENCH "E\0\0\0\40SFATALE\0VFATAL\0C57P01\0Mend\0\0"
#define PANIC "E\0\0\0\37SPANIC\0VPANIC\0C57P02\0Mend\0\0"
#define QUERY "Q\0\0\0\7DO\0"

/* Expects how the i-th query has ended, and the times of its beginning and its
 * end. A time of 0 means that the time is unknown. */
#define EXPECT_ENDED(i, entry, from, to)                               \
	do {                                                           \
		EXPECT_QUERY(i, entry);                                \
		ck_assert_uint_eq(scene.diary.ends.at[i].began, from); \
		ck_assert_uint_eq(scene.diary.ends.at[i].ended, to);   \
	} while (0)

/* A letter in ReadyForQuery tells the state of the transaction. */
START_TEST(transactions_are_told)
{
	static const enum query_transaction states[] = {
		QUERY_TRANSACTION_OPEN,
		QUERY_TRANSACTION_FAILED,
		QUERY_TRANSACTION_NONE,
		QUERY_TRANSACTION_UNKNOWN, /* the query of the Parse */
		QUERY_TRANSACTION_OPEN,
	};
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(QUERY));
	OKAY(SERVER(COMPLETE "Z\0\0\0\5T"));
	OKAY(CLIENT(QUERY));
	OKAY(SERVER(FAULT "Z\0\0\0\5E"));
	OKAY(CLIENT(QUERY));
	OKAY(SERVER(COMPLETE READY));
	OKAY(CLIENT(PARSE_UNNAMED BIND_UNNAMED EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE "Z\0\0\0\5T"));
	ck_assert_uint_eq(scene.diary.ends.count, array_size(states));
	for (size_t i = 0; i < array_size(states); i++)
		ck_assert_int_eq(scene.diary.ends.at[i].transaction, states[i]);
	close_scene(&scene);
}
END_TEST

START_TEST(error)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	OKAY(SERVER(FAULT));
	ck_assert(diary_waits(&scene.diary));
	OKAY(SERVER(READY));
	EXPECT_QUERY(0, "text failed - DO");
	ck_assert_str_eq(scene.diary.ends.at[0].state, "42601");
	ck_assert_str_eq(scene.diary.ends.at[0].message, "no");
	ck_assert_uint_eq(scene.diary.ends.at[0].answered, 2);
	ck_assert_uint_eq(scene.diary.ends.at[0].ended, 3);
	close_scene(&scene);
}
END_TEST

/* The server's error came, but its ReadyForQuery never did. */
START_TEST(error_and_no_more)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(QUERY));
	OKAY(SERVER(FAULT));
	OKAY(CLIENT(QUERY));
	end_connection(&scene);
	EXPECT_ENDED(0, "text failed - DO", 1, 2);
	ck_assert_str_eq(scene.diary.ends.at[0].state, "42601");
	EXPECT_ENDED(1, "text lost - DO", 3, 0);
	close_scene(&scene);
}
END_TEST

static const struct {
	const char *bytes;
	size_t length;
	const char *state;
} last_words[] = {
	{ FATAL, sizeof(FATAL) - 1, "57P01" },
	{ FATAL_OLD, sizeof(FATAL_OLD) - 1, "57P01" },
	{ FATAL_FRENCH, sizeof(FATAL_FRENCH) - 1, "57P01" },
	{ PANIC, sizeof(PANIC) - 1, "57P02" },
};

START_TEST(fatal)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(QUERY));
	OKAY(send_bytes(&scene, false, last_words[_i].bytes,
			last_words[_i].length));
	ck_assert(!diary_waits(&scene.diary));
	EXPECT_ENDED(0, "text failed - DO", 1, 2);
	ck_assert_str_eq(scene.diary.ends.at[0].state, last_words[_i].state);
	ck_assert_str_eq(scene.diary.ends.at[0].message, "end");
	/* A query that the client sends before it notices the error. */
	OKAY(CLIENT(QUERY));
	end_connection(&scene);
	EXPECT_ENDED(1, "text lost - DO", 3, 0);
	close_scene(&scene);
}
END_TEST

START_TEST(fatal_in_a_pipeline)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE BIND EXECUTE SYNC BIND EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE FATAL));
	EXPECT_ENDED(0, "prepare done - DO", 1, 2);
	EXPECT_ENDED(1, "execute failed - DO", 1, 2);
	EXPECT_ENDED(2, "execute skipped - DO", 1, 2);
	close_scene(&scene);
	/*
	 * The connection ends when the first query is done, and only its Sync
	 * is open.
	 */
	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE SYNC QUERY));
	OKAY(SERVER(PARSED));
	OKAY(SERVER(FATAL));
	EXPECT_ENDED(0, "prepare done - DO", 1, 2);
	EXPECT_ENDED(1, "text failed - DO", 1, 3);
	close_scene(&scene);
}
END_TEST

START_TEST(answers_without_a_question)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(SERVER(COMPLETE READY FAULT READY));
	OKAY(SERVER(FATAL));
	ck_assert_uint_eq(scene.diary.entries.count, 0);
	OKAY(CLIENT(QUERY));
	ck_assert(diary_waits(&scene.diary));
	OKAY(SERVER(COMPLETE READY));
	EXPECT_ENDED(0, "text done 1 DO", 3, 4);
	/*
	 * A second answer and an error come after the end of the answer. The
	 * diary would fail if the query ended twice.
	 */
	OKAY(SERVER(COMPLETE READY));
	OKAY(SERVER(FATAL));
	ck_assert_uint_eq(scene.diary.entries.count, 1);
	close_scene(&scene);
}
END_TEST

START_TEST(end_before_the_beginning)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	scene.now = 10;
	OKAY(CLIENT(QUERY));
	scene.now = 5;
	OKAY(SERVER(COMPLETE READY));
	EXPECT_ENDED(0, "text lost - DO", 11, 0);
	close_scene(&scene);
}
END_TEST

START_TEST(ready_without_an_answer)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE BIND EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND READY));
	EXPECT_ENDED(1, "execute lost - DO", 1, 0);
	close_scene(&scene);
}
END_TEST

START_TEST(error_at_commit)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE BIND EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE));
	ck_assert(diary_waits(&scene.diary));
	OKAY(SERVER(FAULT READY));
	EXPECT_QUERY(0, "prepare done - DO");
	EXPECT_QUERY(1, "execute failed - DO");
	close_scene(&scene);
}
END_TEST

START_TEST(time_of_an_execute)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE_UNNAMED));
	OKAY(CLIENT(BIND_UNNAMED));
	OKAY(CLIENT(EXECUTE));
	OKAY(CLIENT(SYNC));
	OKAY(SERVER(PARSED BOUND));
	OKAY(SERVER(COMPLETE));
	OKAY(SERVER(READY));
	EXPECT_QUERY(1, "execute done 1 DO");
	ck_assert_uint_eq(scene.diary.ends.at[1].began, 1);
	ck_assert_uint_eq(scene.diary.ends.at[1].ended, 7);
	/* In a pipeline, each query ends when its answer is complete. */
	OKAY(CLIENT(BIND_UNNAMED EXECUTE BIND_UNNAMED EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE));
	OKAY(SERVER(BOUND COMPLETE READY));
	ck_assert_uint_eq(scene.diary.ends.at[2].ended, 9);
	ck_assert_uint_eq(scene.diary.ends.at[3].ended, 10);
	close_scene(&scene);
}
END_TEST

START_TEST(skipped_after_error)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE BIND EXECUTE BIND EXECUTE SYNC "Q\0\0\0\7DO\0"));
	OKAY(SERVER(PARSED BOUND FAULT READY));
	EXPECT_QUERY(1, "execute failed - DO");
	EXPECT_QUERY(2, "execute skipped - DO");
	OKAY(SERVER("C\0\0\0\7DO\0" READY));
	EXPECT_QUERY(3, "text done - DO");
	close_scene(&scene);
}
END_TEST

START_TEST(copy_in_by_execute)
{
	struct scene scene;

	/* The Sync that came with the Execute is not answered, because the
	 * server ignores it in copy-in mode (PostgreSQL 15 documentation,
	 * 55.2.6). */
	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE BIND EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND "G\0\0\0\7\0\0\0"));
	OKAY(CLIENT("d\0\0\0\5x"
		    "c\0\0\0\4" SYNC));
	OKAY(SERVER("C\0\0\0\13COPY 1\0" READY));
	EXPECT_QUERY(1, "execute done 1 DO");
	ck_assert(!diary_waits(&scene.diary));
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	OKAY(SERVER("C\0\0\0\7DO\0" READY));
	EXPECT_QUERY(2, "text done - DO");
	close_scene(&scene);
}
END_TEST

START_TEST(notices_at_any_time)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	OKAY(SERVER("N\0\0\0\5\0"
		    "A\0\0\0\12\0\0\0\1a\0"));
	OKAY(SERVER("S\0\0\0\10a\0b\0" COMPLETE READY));
	EXPECT_QUERY(0, "text done 1 DO");
	OKAY(SERVER("A\0\0\0\12\0\0\0\1a\0"));
	close_scene(&scene);
}
END_TEST

START_TEST(encryption_refused)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES_START);
	OKAY(CLIENT("\0\0\0\10\4\322\26\57"));
	OKAY(SERVER("N"));
	OKAY(CLIENT("\0\0\0\23\0\3\0\0user\0me\0\0\0\0"));
	OKAY(SERVER("R\0\0\0\10\0\0\0\0" READY));
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	OKAY(SERVER(COMPLETE READY));
	EXPECT_QUERY(0, "text done 1 DO");
	close_scene(&scene);
}
END_TEST

START_TEST(encrypted)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES_START);
	OKAY(CLIENT("\0\0\0\10\4\322\26\57"));
	ck_assert_int_eq(SERVER("S"), -ENODATA);
	ck_assert_int_eq(CLIENT("\26\3\1\2\0\1\0\1\374\3"), -ENODATA);
	ck_assert_str_eq(scene.diary.notices, "encrypted ");
	close_scene(&scene);
}
END_TEST

#define ONE_AND_NULL "B\0\0\0\31\0\0\0\1\0\1\0\2\0\0\0\3one\377\377\377\377\0\0"

START_TEST(bound_values)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	scene.diary.listener.wants_values = true;
	OKAY(CLIENT(PARSE_UNNAMED ONE_AND_NULL EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE READY));
	EXPECT_QUERY(1, "execute done 1 DO ['one', NULL]");
	/* The second Bind has no values. */
	OKAY(CLIENT(BIND_UNNAMED EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE READY));
	EXPECT_QUERY(2, "execute done 1 DO");
	/* The server rejects the third Bind. */
	OKAY(CLIENT(ONE_AND_NULL SYNC));
	OKAY(SERVER(FAULT READY));
	EXPECT_QUERY(3, "execute failed - DO ['one', NULL]");
	close_scene(&scene);
}
END_TEST

#define PARSE_TYPED "P\0\0\0\17s\0DO\0\0\1\0\0\0\27"
#define BIND_BINARY "B\0\0\0\27\0s\0\0\1\0\1\0\1\0\0\0\4four\0\0"
/* The first value is text, the second is binary. */
#define BIND_MIXED                                   \
	"B\0\0\0\37\0s\0\0\2\0\0\0\1\0\2\0\0\0\3one" \
	"\0\0\0\3two\0\0"
#define DESCRIBE "D\0\0\0\7Ss\0"
#define ONE_TYPE "t\0\0\0\12\0\1\0\0\0\31"
#define TWO_TYPES "t\0\0\0\16\0\2\0\0\0\31\0\0\0\27"
#define NO_COLUMNS "n\0\0\0\4"

START_TEST(types_of_values)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	scene.diary.listener.wants_values = true;
	OKAY(CLIENT(PARSE_TYPED BIND_BINARY EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE READY));
	EXPECT_QUERY(1, "execute done 1 DO ['four':23]");
	/* A statement of the same name is prepared without types. The server
	 * tells the types. */
	OKAY(CLIENT(PARSE DESCRIBE BIND_BINARY EXECUTE SYNC));
	OKAY(SERVER(PARSED ONE_TYPE NO_COLUMNS BOUND COMPLETE READY));
	EXPECT_QUERY(3, "execute done 1 DO ['four']");
	OKAY(CLIENT(BIND_BINARY EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE READY));
	EXPECT_QUERY(4, "execute done 1 DO ['four':25]");
	OKAY(CLIENT(DESCRIBE SYNC));
	OKAY(SERVER(TWO_TYPES NO_COLUMNS READY));
	OKAY(CLIENT(BIND_MIXED EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE READY));
	EXPECT_QUERY(5, "execute done 1 DO ['one', 'two':23]");
	/* The server has told only one type, so the type of the second value is
	 * unknown. */
	OKAY(CLIENT(DESCRIBE SYNC));
	OKAY(SERVER(ONE_TYPE NO_COLUMNS READY));
	OKAY(CLIENT(BIND_MIXED EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE READY));
	EXPECT_QUERY(6, "execute done 1 DO ['one', 'two']");
	/* A closed statement's types are forgotten. */
	OKAY(CLIENT("C\0\0\0\7Ss\0" SYNC));
	OKAY(SERVER("3\0\0\0\4" READY));
	OKAY(CLIENT(PARSE BIND_BINARY EXECUTE SYNC));
	OKAY(SERVER(PARSED BOUND COMPLETE READY));
	EXPECT_QUERY(8, "execute done 1 DO ['four']");
	close_scene(&scene);
}
END_TEST

START_TEST(closed_statement)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT(PARSE SYNC));
	OKAY(SERVER(PARSED READY));
	OKAY(CLIENT("C\0\0\0\7Ss\0" SYNC));
	OKAY(SERVER("3\0\0\0\4" READY));
	OKAY(CLIENT(BIND EXECUTE SYNC));
	OKAY(SERVER(FAULT READY));
	EXPECT_QUERY(1, "execute failed - ?");
	ck_assert_str_eq(scene.diary.ends.at[1].name, "s");
	close_scene(&scene);
}
END_TEST

static unsigned asked;

static struct text *
prepared_before(struct query_listener *listener, const char *name)
{
	(void)listener;
	asked++;
	return strcmp(name, "s") != 0 ? NULL : text_new("DO", 2, 2);
}

/* A statement that was prepared earlier: the listener is asked once for its
 * text, and some times again as long as it does not know it. */
START_TEST(prepared_earlier)
{
	struct scene scene;

	asked = 0;
	open_scene(&scene, PROTOCOL_POSTGRES);
	scene.diary.listener.prepared = prepared_before;
	OKAY(CLIENT(BIND EXECUTE BIND EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE BOUND COMPLETE READY));
	EXPECT_QUERY(0, "execute done 1 DO");
	EXPECT_QUERY(1, "execute done 1 DO");
	ck_assert_uint_eq(asked, 1);
	OKAY(CLIENT(BIND_UNNAMED EXECUTE BIND_UNNAMED EXECUTE SYNC));
	OKAY(SERVER(BOUND COMPLETE BOUND COMPLETE READY));
	EXPECT_QUERY(3, "execute done 1 ?");
	ck_assert_uint_eq(asked, 3);
	for (int i = 0; i < 20; i++) {
		OKAY(CLIENT(BIND_UNNAMED EXECUTE SYNC));
		OKAY(SERVER(BOUND COMPLETE READY));
	}
	ck_assert_uint_eq(asked, 9);
	close_scene(&scene);
}
END_TEST

START_TEST(out_of_step)
{
	struct scene scene;

	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	ck_assert_int_eq(SERVER(BOUND), -EPROTO);
	EXPECT_QUERY(0, "text lost - DO");
	ck_assert_str_eq(scene.diary.notices, "lost ");
	close_scene(&scene);
	open_scene(&scene, PROTOCOL_POSTGRES);
	OKAY(CLIENT("Q\0\0\0\7DO\0"));
	ck_assert_int_eq(SERVER("\377\0\0\0\4"), -EPROTO);
	EXPECT_QUERY(0, "text lost - DO");
	close_scene(&scene);
}
END_TEST

Suite *
postgres_suite(void)
{
	Suite *suite = suite_create("postgres");
	TCase *tests = tcase_create("postgres");

	tcase_add_test(tests, transactions_are_told);
	tcase_add_test(tests, error);
	tcase_add_test(tests, error_and_no_more);
	tcase_add_test(tests, prepared_earlier);
	tcase_add_loop_test(tests, fatal, 0,
			    sizeof(last_words) / sizeof(last_words[0]));
	tcase_add_test(tests, fatal_in_a_pipeline);
	tcase_add_test(tests, answers_without_a_question);
	tcase_add_test(tests, end_before_the_beginning);
	tcase_add_test(tests, ready_without_an_answer);
	tcase_add_test(tests, error_at_commit);
	tcase_add_test(tests, time_of_an_execute);
	tcase_add_test(tests, skipped_after_error);
	tcase_add_test(tests, copy_in_by_execute);
	tcase_add_test(tests, notices_at_any_time);
	tcase_add_test(tests, encryption_refused);
	tcase_add_test(tests, encrypted);
	tcase_add_test(tests, bound_values);
	tcase_add_test(tests, types_of_values);
	tcase_add_test(tests, closed_statement);
	tcase_add_test(tests, out_of_step);
	suite_add_tcase(suite, tests);
	return suite;
}
