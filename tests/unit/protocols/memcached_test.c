/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memcached's text protocol. Each row is told as it is, and byte by byte. */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"
#include "tests/unit/protocols/talk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
	const char *client, *server, *told;
} rows[] = {
	{ "get a\r\n", "END\r\n", "get a =  (0)\n" },
	{ "get a\r\n", "VALUE a 0 1\r\nx\r\nEND\r\n", "get a =  (1)\n" },
	{ "gets a b\r\n",
	  "VALUE a 0 5\r\nEND\r\n\r\nVALUE b 1 0 7\r\n\r\nEND\r\n",
	  "gets a b =  (2)\n" },
	{ "get a\r\n", "VALUE a 0 1\r\nx\r\n", "" },
	{ "set a 0 60 5\r\nget \n\r\n", "STORED\r\n",
	  "set a 0 60 5 = STORED\n" },
	/* A command with a value begins when the value has come. */
	{ "set a 0 60 5\r\nabc", "", "" },
	{ "cas a 0 0 1 7\r\nx\r\n", "EXISTS\r\n", "cas a 0 0 1 7 = EXISTS\n" },
	{ "set a 0 0 1 noreply\r\nx\r\nincr a 1\r\n", "2\r\n",
	  "set a 0 0 1 noreply = (no reply)\nincr a 1 = 2\n" },
	{ "delete a\r\nincr b 1\r\ntouch c 1\r\n",
	  "DELETED\r\nNOT_FOUND\r\nTOUCHED\r\n",
	  "delete a = DELETED\nincr b 1 = NOT_FOUND\ntouch c 1 = TOUCHED\n" },
	{ "set a 0 0 9999999\r\n", "SERVER_ERROR object too large\r\n", "" },
	{ "set a b c\r\n", "ERROR\r\n", "set a b c ! ERROR\n" },
	{ "nonsense\r\n", "ERROR\r\n", "nonsense ! ERROR\n" },
	{ "incr a x\r\n", "CLIENT_ERROR invalid delta\r\n",
	  "incr a x ! CLIENT_ERROR invalid delta\n" },
	{ "version\r\n", "VERSION 1.6.18\r\n", "version = VERSION\n" },
	{ "stats\r\nversion\r\n",
	  "STAT pid 1\r\nSTAT uptime 2\r\nEND\r\nVERSION 1\r\n",
	  "stats = \nversion = VERSION\n" },
	{ "stats reset\r\n", "RESET\r\n", "stats reset = RESET\n" },
	{ "lru_crawler metadump all\r\n", "key=a exp=1\r\nEND\r\n",
	  "lru_crawler metadump all = \n" },
	{ "flush_all noreply\r\nquit\r\n", "",
	  "flush_all noreply = (no reply)\nquit = (no reply)\n" },
	{ "\r\nget a\n", "END\n", "get a =  (0)\n" },
	/* meta commands */
	{ "mg a v\r\n", "VA 2\r\nhi\r\n", "mg a v =  (1)\n" },
	{ "mg a v\r\n", "EN\r\n", "mg a v = EN\n" },
	{ "mg a\r\n", "HD\r\n", "mg a = HD\n" },
	{ "ms a 2 T60\r\nhi\r\n", "HD\r\n", "ms a 2 T60 = HD\n" },
	{ "ms a 2\r\nhi\r\n", "NS\r\n", "ms a 2 = NS\n" },
	{ "md a\r\nma b\r\nme c\r\n", "NF\r\nVA 1\r\n5\r\nEN\r\n",
	  "md a = NF\nma b =  (1)\nme c = EN\n" },
	/* Quiet commands, recognized by their tokens, keys and codes. */
	{ "mg a v q O1\r\nmg b v q O2\r\nmn\r\n", "VA 1 O2\r\nx\r\nMN\r\n",
	  "mg a v q O1 = (no reply)\nmg b v q O2 =  (1)\nmn = MN\n" },
	{ "mg a v q k\r\nmg b v q k\r\nmn\r\n", "VA 1 ka\r\nx\r\nMN\r\n",
	  "mg a v q k =  (1)\nmg b v q k = (no reply)\nmn = MN\n" },
	{ "ms a 1 q\r\nx\r\nms b 1 q\r\ny\r\nmn\r\n", "NS\r\nMN\r\n",
	  "ms a 1 q = NS\nms b 1 q = (no reply)\nmn = MN\n" },
	{ "md a q\r\nmn\r\nget a\r\n", "MN\r\nEND\r\n",
	  "md a q = (no reply)\nmn = MN\nget a =  (0)\n" },
	{ "mg a q v\r\nget b\r\n", "VALUE b 0 1\r\nx\r\nEND\r\n",
	  "mg a q v = (no reply)\nget b =  (1)\n" },
	/* An answer without a command. */
	{ "", "STORED\r\nVALUE a 0 1\r\nx\r\nEND\r\n", "" },
};

static void
check(const struct row *row, size_t step)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_MEMCACHED, step);
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
	static const char *const servers[] = {
		"\r\n",	       "VALUE a 0 x\r\n",
		"VALUE a\r\n", "VALUE a 0 99999999999\r\n",
		"VA\r\n",
	};
	struct talk talk;

	for (size_t i = 0; i < array_size(servers); i++) {
		talk_open(&talk, PROTOCOL_MEMCACHED, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true, "get a\r\n"), 0);
		ck_assert_int_eq(talk_say(&talk, false, servers[i]), -EPROTO);
		ck_assert_str_eq(talk_told(&talk), "get a ~\n");
		ck_assert_str_eq(talk.diary.notices, "lost ");
		talk_close(&talk);
	}
	talk_open(&talk, PROTOCOL_MEMCACHED, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, "watch fetchers\r\n"), -ENODATA);
	talk_close(&talk);
}
END_TEST

Suite *
memcached_suite(void)
{
	Suite *suite = suite_create("memcached");
	TCase *tests = tcase_create("memcached");

	tcase_add_loop_test(tests, are_read, 0, array_size(rows));
	tcase_add_test(tests, refuse_nonsense);
	suite_add_tcase(suite, tests);
	return suite;
}
