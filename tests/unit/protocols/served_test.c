/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Heads of requests, given byte by byte. */
#include "tests/unit/protocols/suites.h"

#include "protocols/served.h"

#include <string.h>

#define BEGIN               \
	"\1\1\0\1\0\10\0\0" \
	"\0\1\0\0\0\0\0\0"
#define END "\1\4\0\1\0\0\0\0"

static const struct {
	const char *bytes;
	size_t length;
	const char *method, *target; /* NULL: it is no request */
} heads[] = {
#define BYTES(text) text, sizeof(text) - 1
	{ BYTES("GET / HTTP/1.0"), "GET", "/" },
	{ BYTES("M-SEARCH /a?b=%20 HTTP/1.1"), "M-SEARCH", "/a?b=%20" },
	{ BYTES("OPTIONS * HTTP/1.1"), "OPTIONS", "*" },
	{ BYTES("GET /  HTTP/1.1"), NULL, NULL },
	{ BYTES("GET /a\r\nHost: x\r\n"), NULL, NULL },
	{ BYTES("GET  HTTP/1.1 "), NULL, NULL },
	{ BYTES("get / HTTP/1.1"), NULL, NULL },
	{ BYTES(" / HTTP/1.1"), NULL, NULL },
	{ BYTES("GET / HTTP/2.0"), NULL, NULL },
	{ BYTES("ABCDEFGHIJKLMNOPQ / HTTP/1.1"), NULL, NULL },
	{ BYTES("HTTP/1.1 200 OK\r\n"), NULL, NULL },
	{ BYTES("\x16\3\1\2\0\1"), NULL, NULL },
	{ BYTES(BEGIN "\1\4\0\1\0\55\3\0"
		      "\13\2SCRIPT_NAME/i"
		      "\16\4REQUEST_METHODPOST"
		      "\13\1REQUEST_U\0\0\0" END),
	  NULL, NULL },
	{ BYTES(BEGIN "\1\4\0\1\0\46\2\0"
		      "\16\4REQUEST_METHODPOST"
		      "\13\5REQUEST_URI/b?x="
		      "\0\0" END),
	  "POST", "/b?x=" },
	/* A length that is longer than the record. */
	{ BYTES(BEGIN "\1\4\0\1\0\11\0\0"
		      "\377\377\377\377\200\0\0\1x" END),
	  NULL, NULL },
	/* The second record is no FCGI_PARAMS. */
	{ BYTES(BEGIN "\1\5\0\1\0\0\0\0"), NULL, NULL },
};

START_TEST(heads_are_read)
{
	struct served_head head = { 0 };
	enum served served = SERVED_MORE;
	size_t have = 0;

	while (served == SERVED_MORE && have < heads[_i].length)
		served = served_read(heads[_i].bytes, ++have, &head);
	if (!heads[_i].method) {
		ck_assert_int_eq(served, SERVED_NONE);
		return;
	}
	ck_assert_int_eq(served, SERVED_HEAD);
	ck_assert_uint_eq(head.method_length, strlen(heads[_i].method));
	ck_assert_uint_eq(head.target_length, strlen(heads[_i].target));
	ck_assert(!memcmp(head.method, heads[_i].method, head.method_length));
	ck_assert(!memcmp(head.target, heads[_i].target, head.target_length));
}
END_TEST

/* SERVED_MOST bytes without the end of a head are not a head. */
START_TEST(long_heads_are_none)
{
	static char bytes[SERVED_MOST];
	struct served_head head;

	memset(bytes, 'a', sizeof(bytes));
	memcpy(bytes, "GET /", 5);
	ck_assert_int_eq(served_read(bytes, sizeof(bytes) - 1, &head),
			 SERVED_MORE);
	ck_assert_int_eq(served_read(bytes, sizeof(bytes), &head), SERVED_NONE);
}
END_TEST

#define PARENT "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
#define OTHER "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

/* Requests, and whether their fields are complete and name one parent. */
static const struct {
	const char *bytes;
	size_t length;
	bool whole, parent;
} fields[] = {
	{ BYTES("GET / HTTP/1.1\r\nHost: x\r\ntraceparent: " PARENT
		"\r\nA: b\r\n\r\n"),
	  true, true },
	{ BYTES("GET / HTTP/1.1\nTRACEPARENT:\t" PARENT "\t \n\nbody"), true,
	  true },
	{ BYTES("GET / HTTP/1.1\r\ntraceparent: " PARENT "\r\n"), false,
	  false },
	{ BYTES("GET / HTTP/1.1\r\ntraceparent: " PARENT
		"\r\ntraceparent: " OTHER "\r\n\r\n"),
	  true, false },
	{ BYTES("GET / HTTP/1.1\r\ntraceparent: x\r\ntraceparent: " PARENT
		"\r\n\r\n"),
	  true, false },
	{ BYTES("GET / HTTP/1.1\r\nx-traceparent: " PARENT "\r\n\r\n"), true,
	  false },
	{ BYTES("GET / HTTP/1.1\r\ntraceparent\r\n\r\n"), true, false },
	{ BYTES("GET / HTTP/1.1\r\n\r\ntraceparent: " PARENT "\r\n"), true,
	  false },
	{ BYTES("GET / HTTP/1.1"), false, false },
	{ BYTES(BEGIN "\1\4\0\1\0\154\0\0"
		      "\16\4REQUEST_METHODPOST"
		      "\13\2REQUEST_URI/b"
		      "\20\067HTTP_TRACEPARENT" PARENT END),
	  true, true },
};

START_TEST(parents_are_read)
{
	struct served_head head = { 0 };

	ck_assert_int_eq(served_read(fields[_i].bytes, fields[_i].length,
				     &head),
			 SERVED_HEAD);
	ck_assert_int_eq(head.whole, fields[_i].whole);
	ck_assert_int_eq(head.has_parent, fields[_i].parent);
	if (head.has_parent)
		ck_assert_str_eq(head.parent.trace,
				 "0af7651916cd43dd8448eb211c80319c");
}
END_TEST

Suite *
served_suite(void)
{
	Suite *suite = suite_create("served");
	TCase *tests = tcase_create("served");

	tcase_add_loop_test(tests, heads_are_read, 0,
			    sizeof(heads) / sizeof(heads[0]));
	tcase_add_loop_test(tests, parents_are_read, 0,
			    sizeof(fields) / sizeof(fields[0]));
	tcase_add_test(tests, long_heads_are_none);
	suite_add_tcase(suite, tests);
	return suite;
}
