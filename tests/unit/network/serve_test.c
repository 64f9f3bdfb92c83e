/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What clients of --prometheus get: whole answers, even if other clients are
 * served at the same time. A client that is too slow is disconnected. */
#include "tests/unit/network/suites.h"

#include "base/str.h"
#include "network/http_head.h"
#include "network/serve.h"
#include "tests/unit/live/passing_time.h"
#include "tests/unit/network/peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The limits of network/serve.c. */
#define CLIENTS_MOST 32
#define PATIENCE_SECONDS 10

#define GET "GET /metrics HTTP/1.1\r\n\r\n"

static struct board *board;
static unsigned port;

static void
set_up(void)
{
	int listener = peer_socket(&port, true);

	time_stands();
	board = board_new();
	ck_assert(board_publish(board, "m 1\n", 4));
	peer_start(serve, board, listener);
}

static void
tear_down(void)
{
	peer_stop();
	board_free(board);
}

/* Connects a client, which sends this request. */
static int
client(const char *request)
{
	int fd = peer_connect(port);

	peer_send(fd, request);
	return fd;
}

static void
expect(int fd, const char *answer)
{
	char *text = peer_receive(fd);

	ck_assert_str_eq(text, answer);
	free(text);
}

#define HEAD(status, type, length)                                         \
	"HTTP/1.1 " status "\r\nContent-Type: text/plain; " type           \
	"charset=utf-8\r\nContent-Length: " length "\r\nConnection: close" \
	"\r\n\r\n"
#define METRICS(length) HEAD("200 OK", "version=0.0.4; ", length)
#define ONE METRICS("4") "m 1\n"

START_TEST(the_newest_metrics)
{
	expect(client(GET), ONE);
	ck_assert(board_publish(board, "m 2\nn 3\n", 8));
	peer_wake();
	expect(client(GET), METRICS("8") "m 2\nn 3\n");
	expect(client("HEAD /metrics HTTP/1.1\r\n\r\n"), METRICS("8"));
}
END_TEST

START_TEST(refusals)
{
	expect(client("GET /other HTTP/1.1\r\n\r\n"),
	       HEAD("404 Not Found", "", "25") "/metrics has the metrics\n");
	expect(client("PUT /metrics HTTP/1.1\r\n\r\n"),
	       HEAD("405 Method Not Allowed\r\nAllow: GET, HEAD", "",
		    "18") ""
			  "only GET and HEAD\n");
	expect(client("metrics\r\n\r\n"),
	       HEAD("400 Bad Request", "", "14") "not a request\n");
}
END_TEST

/* A head that has no end is refused when it is too long. */
START_TEST(a_head_without_an_end)
{
	static char head[HTTP_HEAD_MOST + 1];
	int fd;

	memset(head, 'x', HTTP_HEAD_MOST - 1);
	fd = client(head);
	expect(client(GET), ONE);
	ck_assert(peer_waits(fd));
	peer_send(fd, "x");
	expect(fd, HEAD("400 Bad Request", "", "14") "not a request\n");
}
END_TEST

START_TEST(a_request_in_pieces)
{
	int slow = client("GET /met");

	expect(client(GET), ONE);
	peer_send(slow, "rics HTTP/1.1\r\n");
	expect(client(GET), ONE);
	ck_assert(peer_waits(slow));
	peer_send(slow, "\r\n");
	expect(slow, ONE);
}
END_TEST

/* The client begins to read while the server still has a part of the answer to
 * send. */
START_TEST(a_long_answer)
{
	static const char line[] = "name{label=\"value\"} 12345\n";
	const size_t lines = BOARD_MOST / (sizeof(line) - 1);
	struct str text = { 0 }, wanted = { 0 };
	char *got;
	int fd;

	for (size_t i = 0; i < lines; i++)
		str_add(&text, line);
	ck_assert(board_publish(board, text.text, text.length));
	fd = client(GET);
	/* Meanwhile the server answers another client. */
	expect(client("HEAD / HTTP/1.1\r\n\r\n"), HEAD("200 OK", "", "33"));
	got = peer_receive(fd);
	str_addf(&wanted, METRICS("%zu"), text.length);
	str_add_bytes(&wanted, text.text, text.length);
	ck_assert_uint_eq(strlen(got), wanted.length);
	ck_assert_mem_eq(got, wanted.text, wanted.length);
	free(got);
	str_release(&text);
	str_release(&wanted);
}
END_TEST

START_TEST(clients_that_go_early)
{
	int silent = peer_connect(port), half = client("GET /");

	ck_assert_int_eq(shutdown(half, SHUT_WR), 0);
	expect(half, "");
	close(silent);
	expect(client(GET), ONE);
}
END_TEST

/* Lets time pass, and has the server look at the clock. */
static void
seconds_pass(unsigned seconds)
{
	time_passes(seconds * CLOCK_SECOND);
	peer_wake();
	/* Before the server answers this request, it has looked at the
	 * clock. */
	expect(client(GET), ONE);
}

START_TEST(slow_requests_end)
{
	int slow = client("GET /met"), later;

	expect(client(GET), ONE);
	seconds_pass(PATIENCE_SECONDS - 1);
	later = client("GET");
	expect(client(GET), ONE);
	ck_assert(peer_waits(slow));
	seconds_pass(1);
	expect(slow, "");
	ck_assert(peer_waits(later));
	peer_send(later, " /metrics HTTP/1.1\r\n\r\n");
	expect(later, ONE);
}
END_TEST

/* A client that takes no more of its answer. */
START_TEST(slow_readers_end)
{
	static char bytes[BOARD_MOST];
	ssize_t n;
	int fd;

	memset(bytes, 'x', sizeof(bytes));
	ck_assert(board_publish(board, bytes, sizeof(bytes)));
	fd = client(GET);
	ck_assert_int_eq(recv(fd, bytes, 1, MSG_PEEK), 1);
	ck_assert(board_publish(board, "m 1\n", 4));
	seconds_pass(PATIENCE_SECONDS);
	for (size_t got = 0; (n = recv(fd, bytes, sizeof(bytes), 0)) > 0;) {
		got += (size_t)n;
		ck_assert_uint_lt(got, BOARD_MOST);
	}
	close(fd);
}
END_TEST

/* If there are too many clients, the next client waits until one of them has
 * its answer. */
START_TEST(many_clients)
{
	int idle[CLIENTS_MOST], waiting;

	for (unsigned i = 0; i < CLIENTS_MOST; i++) {
		idle[i] = client("GET /metrics HTTP/1.1\r\n");
		/* The server answers this request after it has accepted the
		 * idle client, so the socket's queue of new connections stays
		 * short. */
		if (i < CLIENTS_MOST - 1)
			expect(client(GET), ONE);
	}
	waiting = client(GET);
	peer_send(idle[3], "\r\n");
	expect(idle[3], ONE);
	expect(waiting, ONE);
	for (unsigned i = 0; i < CLIENTS_MOST; i++) {
		if (i == 3)
			continue;
		peer_send(idle[i], "\r\n");
		expect(idle[i], ONE);
	}
}
END_TEST

/* At xtrace's end the server does not wait for its clients. */
START_TEST(the_end_of_xtrace)
{
	int fd = client("GET /met"), late = client("");

	expect(client(GET), ONE);
	peer_stop();
	expect(fd, "");
	expect(late, "");
	board_free(board);
	set_up();
}
END_TEST

Suite *
serve_suite(void)
{
	Suite *suite = suite_create("serve");
	TCase *tests = tcase_create("serve");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, the_newest_metrics);
	tcase_add_test(tests, refusals);
	tcase_add_test(tests, a_head_without_an_end);
	tcase_add_test(tests, a_request_in_pieces);
	tcase_add_test(tests, a_long_answer);
	tcase_add_test(tests, clients_that_go_early);
	tcase_add_test(tests, slow_requests_end);
	tcase_add_test(tests, slow_readers_end);
	tcase_add_test(tests, many_clients);
	tcase_add_test(tests, the_end_of_xtrace);
	suite_add_tcase(suite, tests);
	return suite;
}
