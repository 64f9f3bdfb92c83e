/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memcached's protocols. Each row is told as it is, and byte by byte. */
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
	/* After quiet commands, the token, key or code of an answer tells which
	 * command is answered. */
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

/* ---- packets ----------------------------------------------------------- */

struct packet {
	unsigned char magic, opcode, opaque, status;
	const char *extras, *key, *value;
	size_t extras_length;
};

static int
say(struct talk *talk, const struct packet *packet)
{
	size_t key = packet->key ? strlen(packet->key) : 0;
	size_t value = packet->value ? strlen(packet->value) : 0;
	unsigned char bytes[512] = { packet->magic, packet->opcode };
	unsigned char *at = bytes + 24;

	bytes[3] = (unsigned char)key;
	bytes[4] = (unsigned char)packet->extras_length;
	bytes[7] = packet->status;
	bytes[11] = (unsigned char)(packet->extras_length + key + value);
	bytes[15] = packet->opaque;
	if (packet->extras_length > 0)
		at = mempcpy(at, packet->extras, packet->extras_length);
	if (key > 0)
		at = mempcpy(at, packet->key, key);
	if (value > 0)
		at = mempcpy(at, packet->value, value);
	return talk_give(talk, packet->magic == 0x80, bytes,
			 (size_t)(at - bytes));
}

enum { GET, SET, INCR = 5, QUIT = 7, NOOP = 10, GETKQ = 13, STAT = 16 };
enum { SETQ = 17 };

static const struct conversation {
	struct packet packets[8];
	const char *told;
} conversations[] = {
	{ { { 0x80, SET, 1, 0, "12345678", "a", "x", 8 },
	    { 0x81, SET, 1, 0, NULL, NULL, NULL, 0 } },
	  "set a = OK\n" },
	{ { { 0x80, GET, 1, 0, NULL, "a", NULL, 0 },
	    { 0x80, GET, 2, 0, NULL, "b", NULL, 0 },
	    { 0x81, GET, 1, 0, "1234", NULL, "x", 4 },
	    { 0x81, GET, 2, 1, NULL, NULL, "Not found", 0 } },
	  "get a =  (1)\nget b =  (0)\n" },
	{ { { 0x80, INCR, 1, 0, "12345678901234567890", "a", NULL, 20 },
	    { 0x81, INCR, 1, 0, "\0\0\0\0\0\0\1\2", NULL, NULL, 8 },
	    { 0x80, INCR, 1, 0, "12345678901234567890", "b", NULL, 20 },
	    { 0x81, INCR, 1, 6, NULL, NULL, "no number", 0 } },
	  "incr a = 258\nincr b ! no number\n" },
	/* Three commands have the same opaque value. The key of an answer tells
	 * which command is answered. */
	{ { { 0x80, GETKQ, 0, 0, NULL, "a", NULL, 0 },
	    { 0x80, GETKQ, 0, 0, NULL, "b", NULL, 0 },
	    { 0x80, SETQ, 0, 0, "12345678", "c", "x", 8 },
	    { 0x80, NOOP, 0, 0, NULL, NULL, NULL, 0 },
	    { 0x81, GETKQ, 0, 0, "1234", "b", "x", 4 },
	    { 0x81, NOOP, 0, 0, NULL, NULL, NULL, 0 } },
	  "getkq a = (no reply)\ngetkq b =  (1)\nsetq c = (no reply)\n"
	  "noop = OK\n" },
	{ { { 0x80, STAT, 3, 0, NULL, NULL, NULL, 0 },
	    { 0x81, STAT, 3, 0, NULL, "pid", "1", 0 },
	    { 0x81, STAT, 3, 0, NULL, "time", "2", 0 },
	    { 0x81, STAT, 3, 0, NULL, NULL, NULL, 0 },
	    { 0x80, QUIT, 0, 0, NULL, NULL, NULL, 0 } },
	  "stat = OK\nquit = (no reply)\n" },
	/* An answer to a command that xtrace has not seen is not taken for the
	 * answer to the open command. */
	{ { { 0x80, SET, 1, 0, "12345678", "a", "x", 8 },
	    { 0x81, GET, 9, 0, "1234", NULL, "x", 4 },
	    { 0x81, SET, 1, 2, NULL, NULL, "exists", 0 } },
	  "set a = EXISTS\n" },
};

START_TEST(packets_are_read)
{
	const struct conversation *row = &conversations[_i];

	for (int step = 0; step < 2; step++) {
		struct talk talk;

		talk_open(&talk, PROTOCOL_MEMCACHED, step ? 1 : SIZE_MAX);
		for (size_t i = 0;
		     i < array_size(row->packets) && row->packets[i].magic; i++)
			ck_assert_int_eq(say(&talk, &row->packets[i]), 0);
		ck_assert_str_eq(talk_told(&talk), row->told);
		talk_close(&talk);
	}
}
END_TEST

START_TEST(nonsense_is_no_packet)
{
	static const struct packet good = {
		0x80, GET, 1, 0, NULL, "a", NULL, 0
	};
	static const struct packet bad[] = {
		{ 0x80, GET, 1, 0, NULL, NULL, NULL, 0 },
		{ 0x81, 0x1f, 1, 0, NULL, NULL, NULL, 0 },
		{ 0x81, GET, 1, 0, "123456789012345678901", NULL, NULL, 21 },
	};
	struct talk talk;

	for (size_t i = 0; i < array_size(bad); i++) {
		struct packet packet = bad[i];
		unsigned char server[24] = { packet.magic, packet.opcode };

		server[4] = (unsigned char)packet.extras_length;
		talk_open(&talk, PROTOCOL_MEMCACHED, SIZE_MAX);
		ck_assert_int_eq(say(&talk, &good), 0);
		ck_assert_int_eq(talk_give(&talk, false, server,
					   sizeof(server)),
				 -EPROTO);
		ck_assert_str_eq(talk_told(&talk), "get a ~\n");
		talk_close(&talk);
	}
}
END_TEST

Suite *
memcached_suite(void)
{
	Suite *suite = suite_create("memcached");
	TCase *tests = tcase_create("memcached");

	tcase_add_loop_test(tests, are_read, 0, array_size(rows));
	tcase_add_test(tests, refuse_nonsense);
	tcase_add_loop_test(tests, packets_are_read, 0,
			    array_size(conversations));
	tcase_add_test(tests, nonsense_is_no_packet);
	suite_add_tcase(suite, tests);
	return suite;
}
