/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands and replies in RESP. Each row is told as it is, and byte by byte. */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"
#include "tests/unit/protocols/talk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GET "*2\r\n$3\r\nGET\r\n$1\r\na\r\n"
#define PING "*1\r\n$4\r\nPING\r\n"
#define SUBSCRIBE "*3\r\n$9\r\nSUBSCRIBE\r\n$1\r\na\r\n$1\r\nb\r\n"
#define SUBSCRIBED(type, n) type "3\r\n$9\r\nsubscribe\r\n$1\r\na\r\n:" n "\r\n"
#define MESSAGE(type) type "3\r\n$7\r\nmessage\r\n$1\r\na\r\n$5\r\nhello\r\n"

static const struct row {
	const char *client, *server, *told;
} rows[] = {
	{ GET, "$1\r\n1\r\n", "GET a = string\n" },
	{ GET, "$-1\r\n", "GET a = nil\n" },
	{ GET, "*-1\r\n", "GET a = nil\n" },
	{ GET, "_\r\n", "GET a = nil\n" },
	{ GET, "+OK\r\n", "GET a = OK\n" },
	{ GET, ":17\r\n", "GET a = 17\n" },
	{ GET, ":-17\r\n", "GET a = -17\n" },
	{ GET, "#t\r\n", "GET a = true\n" },
	{ GET, ",1.5\r\n", "GET a = 1.5\n" },
	{ GET, "(123456789012345678901\r\n",
	  "GET a = 123456789012345678901\n" },
	{ GET, "=7\r\ntxt:a\r\n\r\n", "GET a = string\n" },
	{ GET, "-WRONGTYPE no\r\n", "GET a ! WRONGTYPE no\n" },
	{ GET, "!5\r\nE a\r\n\r\n", "GET a ! E a\r\n\n" },
	{ GET, "*2\r\n$1\r\nx\r\n*1\r\n:1\r\n", "GET a = array (2)\n" },
	{ GET, "*0\r\n", "GET a = array (0)\n" },
	{ GET, "~1\r\n:1\r\n", "GET a = set (1)\n" },
	{ GET, "%1\r\n+k\r\n%1\r\n+k\r\n:1\r\n", "GET a = map (1)\n" },
	/* A part of a reply is no reply. */
	{ GET, "*2\r\n$1\r\nx\r\n", "" },
	{ GET, "$5\r\nab\r\n", "" },
	{ GET, "|1\r\n+ttl\r\n:3\r\n$1\r\n1\r\n", "GET a = string\n" },
	{ GET, "*2\r\n|1\r\n+ttl\r\n:3\r\n:1\r\n:2\r\n",
	  "GET a = array (2)\n" },
	{ GET PING GET, "$1\r\n1\r\n+PONG\r\n$-1\r\n",
	  "GET a = string\nPING = PONG\nGET a = nil\n" },
	{ "ECHO 'a\\\\' b'\r\nECHO \"a\\\\\" b\r\n", "+1\r\n+2\r\n",
	  "ECHO 'a\\\\' b' = 1\nECHO a\\\\ b = 2\n" },
	{ "PING\r\n\r\nget 'a b' \"c\\\"d\"  e\r\n", "+PONG\r\n:1\r\n",
	  "PING = PONG\nget 'a b' 'c\\\"d' e = 1\n" },
	{ "*2\r\n$3\r\nGET\r\n$0\r\n\r\n*2\r\n$3\r\nGET\r\n$3\r\na\nb\r\n",
	  ":1\r\n:2\r\n", "GET '' = 1\nGET 'a\\nb' = 2\n" },
	{ "*0\r\n*-1\r\n" PING, "+PONG\r\n", "PING = PONG\n" },
	/* Pushes are no answers; subscriptions have an answer each. */
	{ GET, ">2\r\n+invalidate\r\n*1\r\n$1\r\na\r\n:1\r\n", "GET a = 1\n" },
	{ SUBSCRIBE, SUBSCRIBED("*", "1"), "" },
	{ SUBSCRIBE, SUBSCRIBED("*", "1") SUBSCRIBED("*", "2"),
	  "SUBSCRIBE a b = array (3)\n" },
	{ SUBSCRIBE, SUBSCRIBED(">", "1") SUBSCRIBED(">", "2"),
	  "SUBSCRIBE a b = push\n" },
	{ SUBSCRIBE PING,
	  SUBSCRIBED("*", "1") SUBSCRIBED("*", "2")
		  MESSAGE("*") "*2\r\n$4\r\npong\r\n$0\r\n\r\n",
	  "SUBSCRIBE a b = array (3)\nPING = array (2)\n" },
	{ SUBSCRIBE PING,
	  SUBSCRIBED(">", "1") MESSAGE(">") SUBSCRIBED(">", "2") "+PONG\r\n",
	  "SUBSCRIBE a b = push\nPING = PONG\n" },
	{ SUBSCRIBE, "-NOPERM no\r\n", "SUBSCRIBE a b ! NOPERM no\n" },
	/* Without a subscription, an array with the form of a message is the
	 * reply to GET. */
	{ GET, MESSAGE("*"), "GET a = array (3)\n" },
	{ "MONITOR\r\nPING\r\n", "+OK\r\n+17.5 [0 x] \"GET\"\r\n+PONG\r\n",
	  "MONITOR = OK\nPING = PONG\n" },
	{ "CLIENT REPLY SKIP\r\nGET a\r\nPING\r\n", "+PONG\r\n",
	  "CLIENT REPLY SKIP = (no reply)\nGET a = (no reply)\nPING = PONG\n" },
	{ "CLIENT REPLY OFF\r\nGET a\r\nCLIENT REPLY ON\r\n", "+OK\r\n",
	  "CLIENT REPLY OFF = (no reply)\nGET a = (no reply)\nCLIENT REPLY ON "
	  "= OK\n" },
	/* What may be a password is not in the text. */
	{ "AUTH secret\r\n", "+OK\r\n", "AUTH ? = OK\n" },
	{ "auth who secret\r\n", "+OK\r\n", "auth ? = OK\n" },
	{ "*3\r\n$4\r\nAUTH\r\n$3\r\nwho\r\n$6\r\nsecret\r\n", "+OK\r\n",
	  "AUTH ? = OK\n" },
	{ "AUHT secret\r\n", "-ERR no\r\n", "AUHT ? ! ERR no\n" },
	{ "HELLO 3 AUTH who secret\r\n", "%0\r\n", "HELLO 3 ? = map (0)\n" },
	{ "HELLO secret\r\n", "-ERR no\r\n", "HELLO ? ! ERR no\n" },
	{ "CONFIG SET masterauth secret\r\n", "+OK\r\n",
	  "CONFIG SET ? = OK\n" },
	{ "CONFIG GET maxmemory\r\n", "*0\r\n",
	  "CONFIG GET maxmemory = array (0)\n" },
	{ "ACL SETUSER who >secret\r\n", "+OK\r\n", "ACL SETUSER ? = OK\n" },
	{ "MIGRATE h 1 k 0 9 AUTH secret\r\n", "+OK\r\n", "MIGRATE ? = OK\n" },
};

static void
check(const struct row *row, size_t step)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_REDIS, step);
	ck_assert_int_eq(talk_say(&talk, true, row->client), 0);
	ck_assert_int_eq(talk_say(&talk, false, row->server), 0);
	ck_assert_msg(!strcmp(talk_told(&talk), row->told), "%s: %s",
		      row->client, talk_told(&talk));
	talk_close(&talk);
}

START_TEST(are_read)
{
	check(&rows[_i], SIZE_MAX);
	check(&rows[_i], 1);
}
END_TEST

START_TEST(refuse_nonsense)
{
	static const char *const clients[] = {
		"*1\r\n+PING\r\n", "*1\r\n$x\r\n",  "*x\r\n",
		"*1\r\n$-1\r\n",   "*99999999\r\n",
	};
	static const char *const servers[] = { "?\r\n", "$x\r\n", "\r\n",
					       "*-2\r\n", "$99999999999\r\n" };
	struct talk talk;

	for (size_t i = 0; i < array_size(clients); i++) {
		talk_open(&talk, PROTOCOL_REDIS, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true, clients[i]), -EPROTO);
		ck_assert_str_eq(talk.diary.notices, "lost ");
		talk_close(&talk);
	}
	for (size_t i = 0; i < array_size(servers); i++) {
		talk_open(&talk, PROTOCOL_REDIS, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true, PING), 0);
		ck_assert_int_eq(talk_say(&talk, false, servers[i]), -EPROTO);
		ck_assert_str_eq(talk_told(&talk), "PING ~\n");
		talk_close(&talk);
	}
}
END_TEST

/* Returns the text as many times as `times` says. The caller frees the
 * result. */
static char *
repeated(const char *text, size_t times)
{
	size_t length = strlen(text);
	char *all = malloc(length * times + 1);

	for (size_t i = 0; i < times; i++)
		memcpy(all + i * length, text, length);
	all[length * times] = '\0';
	return all;
}

/* Values within values to any depth. */
START_TEST(are_counted)
{
	char *arrays = repeated("*1\r\n", 100000);
	struct talk talk;

	talk_open(&talk, PROTOCOL_REDIS, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, GET), 0);
	ck_assert_int_eq(talk_say(&talk, false, arrays), 0);
	ck_assert_str_eq(talk_told(&talk), "");
	ck_assert_int_eq(talk_say(&talk, false, ":1\r\n"), 0);
	ck_assert_str_eq(talk_told(&talk), "GET a = array (1)\n");
	talk_close(&talk);
	free(arrays);
}
END_TEST

static size_t begun, over;

static void
count_begun(struct query_listener *listener, const struct query *query)
{
	(void)listener;
	(void)query;
	begun++;
}

static void
count_over(struct query_listener *listener, const struct query *query)
{
	(void)listener;
	(void)query;
	over++;
}

static void
ignore_notice(struct query_listener *listener, enum query_notice notice)
{
	(void)listener;
	(void)notice;
}

/* A client may send at most 65536 commands before it gets an answer. */
START_TEST(are_bounded)
{
	struct query_listener listener = { .begin = count_begun,
					   .end = count_over,
					   .notice = ignore_notice };
	const size_t most = 1 << 16;
	char *pings = repeated(PING, most + 1);
	size_t length = strlen(pings);

	for (size_t more = 0; more < 2; more++) {
		struct connection *connection =
			connection_new(PROTOCOL_REDIS, &listener);

		begun = over = 0;
		ck_assert_int_eq(connection_bytes(connection, true, pings,
						  length - (1 - more) *
								   strlen(PING),
						  1),
				 more ? -EPROTO : 0);
		ck_assert_uint_eq(begun, most);
		connection_free(connection);
		ck_assert_uint_eq(over, most);
	}
	free(pings);
}
END_TEST

/* A stream of replication is not followed. */
START_TEST(end_with_replication)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_REDIS, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, "PSYNC ? -1\r\n"), -ENODATA);
	talk_close(&talk);
}
END_TEST

Suite *
redis_suite(void)
{
	Suite *suite = suite_create("redis");
	TCase *tests = tcase_create("redis");

	tcase_add_loop_test(tests, are_read, 0, array_size(rows));
	tcase_add_test(tests, refuse_nonsense);
	tcase_add_test(tests, are_counted);
	tcase_add_test(tests, are_bounded);
	tcase_add_test(tests, end_with_replication);
	suite_add_tcase(suite, tests);
	return suite;
}
