/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bytes are the beginning of a conversation with a database. */
#include "tests/unit/protocols/suites.h"

#include "protocols/connection.h"

#include <stdlib.h>
#include <string.h>

#define WANTED(wanted, client, text, whole, protocol)                   \
	{                                                               \
		wanted, client, text, sizeof(text) - 1, whole, protocol \
	}
#define ROW(client, text, whole, protocol) \
	WANTED(PROTOCOLS_DATABASES, client, text, whole, protocol)
#define MEMCACHED(text, whole, protocol) \
	WANTED(PROTOCOLS_MEMCACHED, true, text, whole, protocol)
#define HTTP(text, whole, protocol) \
	WANTED(PROTOCOLS_HTTP, true, text, whole, protocol)
#define REDIS(text, protocol) WANTED(PROTOCOLS_REDIS, true, text, 0, protocol)

static const struct row {
	unsigned wanted;
	bool client;
	const char *bytes;
	size_t have;
	uint64_t whole; /* bytes that were sent; 0: `have` */
	enum protocol protocol;
} rows[] = {
	ROW(true, "\5\0\0\0\3SELE", 0, PROTOCOL_MYSQL),
	ROW(true, "\1\0\0\0\16", 0, PROTOCOL_MYSQL),
	ROW(true, "\7\0\0\0\3\0\1DO 1", 0, PROTOCOL_MYSQL),
	ROW(true, "\5\0\0\0\31\1\0\0\0\5\0\0\0\3SELE", 0, PROTOCOL_MYSQL),
	ROW(true, "\0\0\1\0\3SELECT", 65540, PROTOCOL_MYSQL),
	ROW(true, "\0\0\1\0\3SELECT", 4096, PROTOCOL_MYSQL),
	/* A command with one byte too many, an unknown command, half of a short
	 * command, a sequence number that is not 0, a query that is not text,
	 * and an empty packet. */
	ROW(true, "\5\0\0\0\3SELEK", 0, PROTOCOL_NONE),
	ROW(true, "\5\0\0\0\100SELE", 0, PROTOCOL_NONE),
	ROW(true, "\5\0\0\0\3SE", 0, PROTOCOL_NONE),
	ROW(true, "\5\0\0\1\3SELE", 0, PROTOCOL_NONE),
	ROW(true, "\5\0\0\0\3S\2LE", 0, PROTOCOL_NONE),
	ROW(true, "\0\0\0\0", 0, PROTOCOL_NONE),
	ROW(false, "\22\0\0\0\n5.5.5-10.11\0abcdef", 22, PROTOCOL_MYSQL),
	ROW(false, "\22\0\0\0\t5.5.5-10.11\0abcdef", 22, PROTOCOL_NONE),
	ROW(false, "\5\0\0\0\3SELE", 0, PROTOCOL_NONE),
	ROW(true, "Q\0\0\0\15SELECT 1\0", 0, PROTOCOL_POSTGRES),
	ROW(true, "Q\0\1\0\0SELECT 1", 65537, PROTOCOL_POSTGRES),
	ROW(true, "P\0\0\0\11\0x\0\0\0S\0\0\0\4", 0, PROTOCOL_POSTGRES),
	ROW(true, "S\0\0\0\4", 0, PROTOCOL_POSTGRES),
	ROW(true, "\0\0\0\10\4\322\26\57", 0, PROTOCOL_POSTGRES_START),
	ROW(true, "\0\0\0\15\0\3\0\0user\0", 0, PROTOCOL_POSTGRES_START),
	ROW(true, "\0\0\0\15\0\2\0\0user\0", 0, PROTOCOL_NONE),
	ROW(true, "Q\0\0\0\15SELECT 12", 0, PROTOCOL_NONE),
	ROW(true, "Q\0\0\0\16SELECT 1\0", 0, PROTOCOL_NONE),
	ROW(true, "Q\0\0\0\3", 0, PROTOCOL_NONE),
	ROW(true, "H\0\0\0\4", 0, PROTOCOL_NONE),
	ROW(true, "GET / HTTP/1.1\r\nHost: x\r\n\r\n", 0, PROTOCOL_NONE),
	ROW(true, "POST / HTTP/1.1\r\nHost: x\r\n\r\n", 0, PROTOCOL_NONE),
	ROW(true, "*2\r\n$3\r\nGET\r\n$1\r\na\r\n", 0, PROTOCOL_NONE),
	ROW(true, "\26\3\1\2\0\1\0\1\374\3\3abcdefgh", 0, PROTOCOL_NONE),
	ROW(true, "\27\3\3\0\24abcdefghabcdefgh", 0, PROTOCOL_NONE),
	ROW(true, "", 0, PROTOCOL_NONE),
	ROW(true, "x", 0, PROTOCOL_NONE),
	ROW(true, "Query the quick\n", 0, PROTOCOL_NONE),
	ROW(true, "SSH-2.0-OpenSSH_9.2\r\n", 0, PROTOCOL_NONE),
	REDIS("*2\r\n$3\r\nGET\r\n$1\r\na\r\n", PROTOCOL_REDIS),
	REDIS("*2\r\n$3\r\nGET", PROTOCOL_REDIS),
	HTTP("GET / HTTP/1.1\r\n", 0, PROTOCOL_HTTP),
	HTTP("M-SEARCH * HTTP/1.0", 0, PROTOCOL_HTTP),
	HTTP("GET /aaaaaaaa", 999, PROTOCOL_HTTP),
	HTTP("GET /aaaaaaaa", 0, PROTOCOL_NONE),
	HTTP("GET aaaaaaaa", 999, PROTOCOL_NONE),
	HTTP("PRI * HTTP/2.0\r\n", 0, PROTOCOL_NONE),
	HTTP("HTTP/1.1 200 OK\r\n", 0, PROTOCOL_NONE),
	HTTP("get / HTTP/1.1\r\n", 0, PROTOCOL_NONE),
	HTTP("\1\1\0\1\0\10\0\0", 0, PROTOCOL_NONE),
	HTTP("", 0, PROTOCOL_NONE),
	MEMCACHED("get a\r\n", 0, PROTOCOL_MEMCACHED),
	MEMCACHED("set a 0 -1 5\r\nhello\r\n", 0, PROTOCOL_MEMCACHED),
	MEMCACHED("mg a v q\r\nmn\r\n", 0, PROTOCOL_MEMCACHED),
	MEMCACHED("get aaa bbb", 999, PROTOCOL_MEMCACHED),
	MEMCACHED("get a", 0, PROTOCOL_NONE),
	MEMCACHED("get a\r", 0, PROTOCOL_NONE),
	MEMCACHED("get\r\n", 0, PROTOCOL_NONE),
	MEMCACHED("GET / HTTP/1.1\r\n", 0, PROTOCOL_NONE),
	MEMCACHED("set a b c d\r\n", 0, PROTOCOL_NONE),
	MEMCACHED("get \1a\r\n", 0, PROTOCOL_NONE),
	MEMCACHED("hello there\r\n", 0, PROTOCOL_NONE),
	MEMCACHED("\x80\0\0\1", 0, PROTOCOL_NONE),
	REDIS("*2\r\n$8\r\nFT.SEARC", PROTOCOL_REDIS),
	WANTED(~0u, true, "*1\r\n$4\r\nPING\r\n", 0, PROTOCOL_REDIS),
	/* No client of Redis: half of a word, bytes of another form, a word
	 * that is not of letters, and what only a server sends. */
	REDIS("*2\r\n$3\r\nGE", PROTOCOL_NONE),
	REDIS("*2\r\n$0\r\n\r\n", PROTOCOL_NONE),
	REDIS("*0\r\n", PROTOCOL_NONE),
	REDIS("*2\n$3\nGET", PROTOCOL_NONE),
	REDIS("*2\r\n:3\r\nGET", PROTOCOL_NONE),
	REDIS("*2\r\n$3\r\nG T", PROTOCOL_NONE),
	REDIS("*99999999999999999999\r\n$3\r\nGET", PROTOCOL_NONE),
	REDIS("GET a\r\n", PROTOCOL_NONE),
	REDIS("*", PROTOCOL_NONE),
	REDIS("*1\r", PROTOCOL_NONE),
	REDIS("Q\0\0\0\15SELECT 1\0", PROTOCOL_NONE),
	WANTED(PROTOCOLS_REDIS, false, "*1\r\n$4\r\nPING\r\n", 0,
	       PROTOCOL_NONE),
};

START_TEST(each)
{
	const struct row *row = &rows[_i];
	unsigned char *copy = malloc(row->have ? row->have : 1);

	memcpy(copy, row->bytes, row->have);
	ck_assert_msg(protocol_of(row->wanted, row->client, copy, row->have,
				  row->whole ? row->whole : row->have) ==
			      row->protocol,
		      "row %d", _i);
	free(copy);
}
END_TEST

Suite *
detect_suite(void)
{
	Suite *suite = suite_create("detect");
	TCase *tests = tcase_create("detect");

	tcase_add_loop_test(tests, each, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
