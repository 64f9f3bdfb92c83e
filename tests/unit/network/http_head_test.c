/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HTTP: the answers to requests, and to bytes that are not a request. */
#include "tests/unit/network/suites.h"

#include "base/attr.h"
#include "network/http_head.h"

#include <string.h>

static const struct {
	const char *request, *status, *body;
} rows[] = {
	{ "GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n", "200", "m 1\n" },
	{ "GET /metrics HTTP/1.0\n\n", "200", "m 1\n" },
	{ "GET /metrics?a=b HTTP/1.1\r\n\r\n", "200", "m 1\n" },
	{ "HEAD /metrics HTTP/1.1\r\n\r\n", "200", "" },
	{ "GET / HTTP/1.1\r\n\r\n", "200",
	  "xtrace: /metrics has the metrics\n" },
	{ "GET /metrics/ HTTP/1.1\r\n\r\n", "404",
	  "/metrics has the metrics\n" },
	{ "GET /metric HTTP/1.1\r\n\r\n", "404", "/metrics has the metrics\n" },
	{ "HEAD /x HTTP/1.1\r\n\r\n", "404", "" },
	{ "POST /metrics HTTP/1.1\r\n\r\n", "405", "only GET and HEAD\n" },
	{ "get /metrics HTTP/1.1\r\n\r\n", "405", "only GET and HEAD\n" },
	{ "GET /metrics HTTP/1.1\r\n", "400", "not a request\n" },
	{ "GET /metrics HTTP/2.0\r\n\r\n", "400", "not a request\n" },
	{ "GET /metrics\r\n\r\n", "400", "not a request\n" },
	{ "GET\r\nA /metrics HTTP/1.1\r\n\r\n", "400", "not a request\n" },
	{ " /metrics HTTP/1.1\r\n\r\n", "400", "not a request\n" },
	{ "\r\n\r\n", "400", "not a request\n" },
	{ "", "400", "not a request\n" },
};

START_TEST(is_answered)
{
	size_t i = (size_t)_i;
	struct str request = { 0 }, metrics = { 0 }, answer = { 0 };
	const char *body;

	str_add(&request, rows[i].request);
	str_add(&metrics, "m 1\n");
	http_head_answer(&answer, &request, &metrics);
	ck_assert_ptr_eq(strstr(answer.text, "HTTP/1.1 "), answer.text);
	ck_assert_int_eq(strncmp(answer.text + strlen("HTTP/1.1 "),
				 rows[i].status, 3),
			 0);
	body = strstr(answer.text, "\r\n\r\n");
	ck_assert_ptr_nonnull(body);
	ck_assert_str_eq(body + 4, rows[i].body);
	str_release(&request);
	str_release(&metrics);
	str_release(&answer);
}
END_TEST

Suite *
http_head_suite(void)
{
	Suite *suite = suite_create("http_head");
	TCase *tests = tcase_create("http_head");

	tcase_add_loop_test(tests, is_answered, 0, (int)array_size(rows));
	suite_add_tcase(suite, tests);
	return suite;
}
