/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests and answers of HTTP/1. Each row is told as it is, and byte by byte.
 */
#include "tests/unit/protocols/suites.h"

#include "base/attr.h"
#include "tests/unit/protocols/talk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define GET(path) "GET " path " HTTP/1.1\r\nHost: a\r\n\r\n"
#define OK(headers, body) "HTTP/1.1 200 OK\r\n" headers "\r\n" body
#define LENGTH(n) "Content-Length: " n "\r\n"
#define CHUNKED "Transfer-Encoding: chunked\r\n"

static const struct row {
	const char *client, *server, *told;
} rows[] = {
	{ GET("/a"), OK(LENGTH("2"), "hi"), "GET /a = 200\n" },
	{ GET("/a"), OK(LENGTH("2"), "h"), "" },
	{ GET("/a"), OK(LENGTH("0"), ""), "GET /a = 200\n" },
	{ GET("/a"), OK("content-length:  2 \r\n", "hi"), "GET /a = 200\n" },
	{ GET("/a") GET("/b"), OK(LENGTH("2"), "hi") OK(LENGTH("1"), "x"),
	  "GET /a = 200\nGET /b = 200\n" },
	/* no query string, and no password */
	{ GET("/a?token=secret"), OK(LENGTH("0"), ""), "GET /a = 200\n" },
	{ GET("http://who:secret@host/a?b=c"), OK(LENGTH("0"), ""),
	  "GET http://host/a = 200\n" },
	{ GET("http://host/who@b"), OK(LENGTH("0"), ""),
	  "GET http://host/who@b = 200\n" },
	{ GET("http://who:secret@host"), OK(LENGTH("0"), ""),
	  "GET http://host = 200\n" },
	{ "OPTIONS * HTTP/1.0\r\n\r\n",
	  "HTTP/1.0 200 OK\r\nContent-Length: "
	  "0\r\n\r\n",
	  "OPTIONS * = 200\n" },
	/* chunks */
	{ GET("/a"), OK(CHUNKED, "2\r\nhi\r\n3;x=y\r\nabc\r\n0\r\n\r\n"),
	  "GET /a = 200\n" },
	{ GET("/a") GET("/b"),
	  OK(CHUNKED, "A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n")
		  OK(LENGTH("0"), ""),
	  "GET /a = 200\nGET /b = 200\n" },
	{ GET("/a"), OK(CHUNKED LENGTH("1"), "2\r\nhi\r\n0\r\n"), "" },
	{ "POST /a HTTP/1.1\r\n" CHUNKED
	  "\r\n5\r\nhello\r\n0\r\n\r\n" GET("/b"),
	  OK(LENGTH("0"), "") OK(LENGTH("0"), ""),
	  "POST /a = 200\nGET /b = 200\n" },
	/* bodies of requests */
	{ "POST /a HTTP/1.1\r\n" LENGTH("5") "\r\nGET /" GET("/b"),
	  OK(LENGTH("0"), "") "HTTP/1.1 404 Not Found\r\n" LENGTH("0") "\r\n",
	  "POST /a = 200\nGET /b ! Not Found\n" },
	/* answers without a body */
	{ "HEAD /a HTTP/1.1\r\n\r\n" GET("/b"),
	  OK(LENGTH("9"), "") OK(LENGTH("0"), ""),
	  "HEAD /a = 200\nGET /b = 200\n" },
	{ GET("/a") GET("/b") GET("/c"),
	  "HTTP/1.1 204 No Content\r\n\r\n"
	  "HTTP/1.1 304 Not Modified\r\n" LENGTH(
		  "9") "\r\n"
		       "HTTP/1.1 500 \r\n" LENGTH("0") "\r\n",
	  "GET /a = 204\nGET /b = 304\nGET /c ! \n" },
	/* interim answers */
	{ "PUT /a HTTP/1.1\r\nExpect: 100-continue\r\n" LENGTH("2") "\r\nhi",
	  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n" LENGTH(
		  "0") "\r\n",
	  "PUT /a = 201\n" },
	{ GET("/a"), "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", "" },
	/* The end of the connection is the end of the answer. */
	{ GET("/a"), "HTTP/1.0 200 OK\r\n\r\nto the end", "" },
	/* An answer without a request is ignored. */
	{ "", OK(LENGTH("2"), "hi"), "" },
	{ "\r\n" GET("/a"), "\r\n" OK(LENGTH("0"), ""), "GET /a = 200\n" },
};

static void
check(const struct row *row, size_t step)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_HTTP, step);
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
		"GET\r\n",
		"get / HTTP/1.1\r\n",
		"GET / HTTP/2.0\r\n",
		"PRI * HTTP/2.0\r\n",
		"POST / HTTP/1.1\r\n" CHUNKED "\r\nx\r\n",
		"POST / HTTP/1.1\r\n" CHUNKED "\r\n1000000000000000\r\n",
	};
	static const char *const servers[] = {
		"HTTP/2 200\r\n", "HTTP/1.1 20\r\n",	"HTTP/1.1 2xx OK\r\n",
		"hello\r\n",	  OK(CHUNKED, "x\r\n"),
	};
	struct talk talk;

	for (size_t i = 0; i < array_size(clients); i++) {
		talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true, clients[i]), -EPROTO);
		talk_close(&talk);
	}
	for (size_t i = 0; i < array_size(servers); i++) {
		talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true, GET("/")), 0);
		ck_assert_int_eq(talk_say(&talk, false, servers[i]), -EPROTO);
		ck_assert_str_eq(talk_told(&talk), "GET / ~\n");
		talk_close(&talk);
	}
}
END_TEST

/* Answers after which the connection has another protocol: an upgrade, and a
 * tunnel. */
START_TEST(end_with_another_protocol)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, GET("/chat")), 0);
	ck_assert_int_eq(talk_say(&talk, false,
				  "HTTP/1.1 101 Switching Protocols\r\n\r\n?"),
			 -ENODATA);
	ck_assert_str_eq(talk_told(&talk), "GET /chat = 101\n");
	talk_close(&talk);
	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true,
				  "CONNECT host:1 HTTP/1.1\r\n\r\n"),
			 0);
	ck_assert_int_eq(talk_say(&talk, false, OK("", "")), -ENODATA);
	ck_assert_str_eq(talk_told(&talk), "CONNECT host:1 = 200\n");
	talk_close(&talk);
}
END_TEST

/* A body without a length ends when the connection ends. */
START_TEST(end_with_the_connection)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, GET("/a")), 0);
	ck_assert_int_eq(talk_say(&talk, false, OK("", "hello")), 0);
	ck_assert_str_eq(talk_told(&talk), "");
	connection_ended(talk.connection, ++talk.now);
	ck_assert_str_eq(talk_told(&talk), "GET /a = 200\n");
	talk_close(&talk);
	/* If the connection ends before the body is complete, the answer has
	 * not ended. */
	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, GET("/a")), 0);
	ck_assert_int_eq(talk_say(&talk, false, OK(LENGTH("9"), "hello")), 0);
	connection_ended(talk.connection, ++talk.now);
	ck_assert_str_eq(talk_told(&talk), "");
	talk_close(&talk);
}
END_TEST

/* The client closes the connection when it has seen the status. */
START_TEST(end_with_their_head)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	ck_assert_int_eq(talk_say(&talk, true, GET("/a") GET("/b")), 0);
	ck_assert_int_eq(talk_say(&talk, false,
				  "HTTP/1.1 404 Not Found\r\n" LENGTH(
					  "9") "\r\nhell"),
			 0);
	connection_free(talk.connection);
	talk.connection = NULL;
	ck_assert_str_eq(talk_told(&talk), "GET /a ! Not Found\nGET /b ~\n");
	talk_close(&talk);
}
END_TEST

/* The server does not want the body, and the client does not send it. */
START_TEST(leave_a_body_out)
{
	static const char *const next[] = { GET("/b"), "hi" GET("/b") };
	struct talk talk;

	for (size_t i = 0; i < array_size(next); i++) {
		talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
		ck_assert_int_eq(talk_say(&talk, true,
					  "PUT /a HTTP/1.1\r\n"
					  "Expect: 100-continue\r\n" LENGTH(
						  "2") "\r\n"),
				 0);
		ck_assert_int_eq(talk_say(&talk, false,
					  "HTTP/1.1 417 No\r\n" LENGTH(
						  "0") "\r\n"),
				 0);
		ck_assert_int_eq(talk_say(&talk, true, next[i]), 0);
		ck_assert_int_eq(talk_say(&talk, false, OK(LENGTH("0"), "")),
				 0);
		ck_assert_str_eq(talk_told(&talk),
				 "PUT /a ! No\nGET /b = 200\n");
		talk_close(&talk);
	}
}
END_TEST

/* The query string is told if it is wanted. */
START_TEST(have_query_strings)
{
	struct talk talk;

	talk_open(&talk, PROTOCOL_HTTP, SIZE_MAX);
	talk.diary.listener.wants_query_strings = true;
	ck_assert_int_eq(talk_say(&talk, true, GET("/a?b=c")), 0);
	ck_assert_int_eq(talk_say(&talk, false, OK(LENGTH("0"), "")), 0);
	ck_assert_str_eq(talk_told(&talk), "GET /a?b=c = 200\n");
	talk_close(&talk);
}
END_TEST

Suite *
http_suite(void)
{
	Suite *suite = suite_create("http");
	TCase *tests = tcase_create("http");

	tcase_add_loop_test(tests, are_read, 0, array_size(rows));
	tcase_add_test(tests, refuse_nonsense);
	tcase_add_test(tests, end_with_another_protocol);
	tcase_add_test(tests, end_with_the_connection);
	tcase_add_test(tests, end_with_their_head);
	tcase_add_test(tests, leave_a_body_out);
	tcase_add_test(tests, have_query_strings);
	suite_add_tcase(suite, tests);
	return suite;
}
