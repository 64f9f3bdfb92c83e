/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which requests a server of --otlp gets, and what becomes of texts that the
 * server refuses. The server is in the test. While it waits for a request it
 * lets time pass, so that no wait of network/post takes long.
 *
 * libcurl is needed (package libcurl4).
 */
#include "tests/unit/network/suites.h"

#include "base/attr.h"
#include "base/gzip.h"
#include "network/post.h"
#include "tests/unit/live/passing_time.h"
#include "tests/unit/network/peer.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define MS UINT64_C(1000000)
#define ROOM 65536
/* For each millisecond that the server really waits, the clock of the test is
 * advanced by this. */
#define STEP (100 * MS)

/* The struct is never freed, because in xtrace its owner is a process that
 * ends. */
static struct curl *curl;
static struct post_told told;
static struct post sending;
static char urls[2][64];
static int listener;

static const char *
url_of(const struct post *post, const struct str *text)
{
	return post->urls[*str_text(text) == 'm'];
}

static void
open_port(bool listens)
{
	unsigned port;

	listener = peer_socket(&port, listens);
	snprintf(urls[0], sizeof(urls[0]), "http://127.0.0.1:%u/traces", port);
	snprintf(urls[1], sizeof(urls[1]), "http://127.0.0.1:%u/metrics", port);
}

static void
set_up(void)
{
	static const struct str no_certificates;
	struct err err = { "" };

	open_port(true);
	ck_assert_msg(curl_load(&curl, &err) == 0, "%s", err.text);
	curl_set(curl, "Content-Encoding: gzip\nx-key: 7\n", &no_certificates);
	told = (struct post_told){ 0 };
	sending = (struct post){
		queue_new(ROOM), curl, &told, url_of, { urls[0], urls[1] }
	};
}

static void
tear_down(void)
{
	close(listener);
	queue_free(sending.queue);
}

static void
put(const char *text, uint32_t items)
{
	queue_put(sending.queue, text, strlen(text), items);
}

static void
start(void)
{
	peer_start(post, &sending, -1);
}

/* xtrace has ended. Lets time pass until the sender has ended, too. */
static void
end(void)
{
	peer_end_xtrace();
	while (!peer_returned()) {
		poll(NULL, 0, 1);
		time_passes(STEP);
	}
}

static void
expect_told(unsigned sent, unsigned lost, const char *why)
{
	ck_assert_uint_eq(atomic_load(&told.sent), sent);
	ck_assert_uint_eq(atomic_load(&told.lost), lost);
	ck_assert_msg(strstr(told.why, why) != NULL, "%s", told.why);
}

/* ---- the server ------------------------------------------------------------
 */

/* Waits for the next connection. In each millisecond of the wait, the clock of
 * the test advances by `step` ns. */
static int
asked(uint64_t step)
{
	struct pollfd row = { .fd = listener, .events = POLLIN };
	int fd;

	while (poll(&row, 1, 1) == 0) {
		time_passes(step);
		peer_wake();
	}
	fd = accept(listener, NULL, NULL);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* Receives a whole request: its head and its body. */
static void
receive(int fd, struct str *request, size_t *ret_head)
{
	char bytes[4096];
	const char *length, *end = NULL;
	size_t all = SIZE_MAX;

	while (request->length < all) {
		ssize_t n = recv(fd, bytes, sizeof(bytes), 0);

		ck_assert_int_gt(n, 0);
		str_add_bytes(request, bytes, (size_t)n);
		end = strstr(str_text(request), "\r\n\r\n");
		if (!end)
			continue;
		*ret_head = (size_t)(end + 4 - request->text);
		length = strcasestr(request->text, "\r\nContent-Length: ");
		ck_assert_ptr_nonnull(length);
		all = *ret_head +
		      strtoul(length + strlen("\r\nContent-Length: "), NULL,
			      10);
	}
}

/* Takes a request with this text, and answers it. */
static void
serve_at(int fd, const char *path, const char *text, const char *answer)
{
	struct str request = { 0 }, plain = { 0 }, body = { 0 };
	struct gzip *gzip = gzip_new(true);
	char line[64];
	size_t head = 0;

	receive(fd, &request, &head);
	snprintf(line, sizeof(line), "POST %s HTTP/1.1\r\n", path);
	ck_assert_msg(!strncmp(request.text, line, strlen(line)), "%s",
		      request.text);
	ck_assert_ptr_nonnull(strstr(request.text, "\r\nx-key: 7\r\n"));
	ck_assert_ptr_nonnull(strstr(request.text, "\r\nUser-Agent: xtrace\r"));
	str_add(&plain, text);
	gzip_add(gzip, &plain, &body);
	gzip_end(gzip, &body);
	ck_assert_uint_eq(request.length - head, body.length);
	ck_assert_mem_eq(request.text + head, body.text, body.length);
	peer_send(fd, answer);
	close(fd);
	str_release(&request);
	str_release(&plain);
	str_release(&body);
}

#define ANSWER(status)     \
	"HTTP/1.1 " status \
	"\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
#define LATER(status, seconds) ANSWER(status "\r\nRetry-After: " seconds)
#define FINE ANSWER("200 OK")

START_TEST(texts_are_sent)
{
	put("span 1", 3);
	start();
	serve_at(asked(0), "/traces", "span 1", FINE);
	put("metric 1", 1);
	peer_wake();
	serve_at(asked(0), "/metrics", "metric 1", ANSWER("204 No Content"));
	put("span 2", 10);
	/* A text that is still in the queue when xtrace ends is sent
	 * afterwards. */
	peer_end_xtrace();
	serve_at(asked(0), "/traces", "span 2", FINE);
	while (!peer_returned())
		poll(NULL, 0, 1);
	expect_told(14, 0, "");
	ck_assert_str_eq(told.why, "");
}
END_TEST

/* If the server is overloaded, the waits between two attempts become longer.
 * Each wait is at least half of its longest possible value. */
START_TEST(an_overloaded_server)
{
	static const struct {
		const char *answer; /* "" if the connection is closed */
		uint64_t wait;	    /* at least, in ms */
	} rows[] = {
		{ ANSWER("429 Too Many Requests"), 250 },
		{ ANSWER("502 Bad Gateway"), 500 },
		{ "", 1000 },
		{ ANSWER("503 Service Unavailable"), 2000 },
		{ ANSWER("504 Gateway Timeout"), 4000 },
	};

	int fd;

	put("span", 2);
	start();
	fd = asked(0);
	for (size_t i = 0; i < array_size(rows); i++) {
		uint64_t answered = clock_now();

		serve_at(fd, "/traces", "span", rows[i].answer);
		fd = asked(STEP);
		ck_assert_uint_ge(clock_now() - answered, rows[i].wait * MS);
	}
	ck_assert_uint_eq(atomic_load(&told.sent), 0);
	serve_at(fd, "/traces", "span", FINE);
	end();
	expect_told(2, 0, "the server answers 504");
}
END_TEST

START_TEST(the_server_says_when)
{
	uint64_t answered;
	int fd;

	put("span", 2);
	start();
	fd = asked(0);
	answered = clock_now();
	serve_at(fd, "/traces", "span",
		 LATER("503 Service Unavailable", "120"));
	fd = asked(5 * STEP);
	ck_assert_uint_ge(clock_now() - answered, 120 * CLOCK_SECOND);
	serve_at(fd, "/traces", "span", FINE);
	end();
	expect_told(2, 0, "the server answers 503");
}
END_TEST

/* After some minutes of failed attempts a text is given up, and the next text
 * is tried. */
START_TEST(a_text_is_given_up)
{
	unsigned times = 0;

	put("span 1", 5);
	put("metric 2", 1);
	start();
	for (;;) {
		int fd = asked(CLOCK_SECOND);

		if (atomic_load(&told.lost) > 0) {
			serve_at(fd, "/metrics", "metric 2", FINE);
			break;
		}
		serve_at(fd, "/traces", "span 1",
			 LATER("503 Service Unavailable", "100"));
		times++;
	}
	/* At most four attempts: at 0, 100, 200 and 300 s. If more time has
	 * passed than the server asked for, there are fewer attempts. */
	ck_assert_uint_ge(times, 2);
	ck_assert_uint_le(times, 4);
	end();
	expect_told(1, 5, "the server answers 503");
}
END_TEST

START_TEST(a_refused_text_is_lost)
{
	put("span 1", 5);
	put("span 2", 7);
	start();
	serve_at(asked(0), "/traces", "span 1", ANSWER("400 Bad Request"));
	serve_at(asked(0), "/traces", "span 2", FINE);
	end();
	expect_told(7, 5, "the server answers 400");
}
END_TEST

/* A redirection to another address is not followed. */
START_TEST(no_other_server)
{
	put("span", 5);
	start();
	serve_at(asked(0), "/traces", "span",
		 ANSWER("302 Found\r\nLocation: /metrics"));
	end();
	expect_told(0, 5, "the server answers 302");
}
END_TEST

/* When xtrace ends and no server listens, the sender tries for POST_PATIENCE_MS
 * and then gives the text up. */
START_TEST(nobody_listens)
{
	uint64_t began;

	close(listener);
	open_port(false);
	put("span", 5);
	start();
	began = clock_now();
	end();
	ck_assert_uint_ge(clock_now() - began, POST_PATIENCE_MS * MS);
	expect_told(0, 5, "onnect");
}
END_TEST

/* A server that never comes to the end of its answer. */
START_TEST(the_answer_has_no_end)
{
	struct str request = { 0 };
	size_t head;
	int fd;

	put("span", 5);
	start();
	fd = asked(0);
	receive(fd, &request, &head);
	peer_send(fd, "HTTP/1.1 200 OK\r\nA: ");
	peer_end_xtrace();
	while (!peer_returned()) {
		/* libcurl looks at the time when something comes. */
		if (send(fd, "a", 1, MSG_NOSIGNAL) == 1)
			poll(NULL, 0, 1);
		time_passes(STEP);
	}
	expect_told(0, 5, "the server does not answer");
	close(fd);
	str_release(&request);
}
END_TEST

Suite *
post_suite(void)
{
	Suite *suite = suite_create("post");
	TCase *tests = tcase_create("post");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, texts_are_sent);
	tcase_add_test(tests, an_overloaded_server);
	tcase_add_test(tests, the_server_says_when);
	tcase_add_test(tests, a_text_is_given_up);
	tcase_add_test(tests, a_refused_text_is_lost);
	tcase_add_test(tests, no_other_server);
	tcase_add_test(tests, nobody_listens);
	tcase_add_test(tests, the_answer_has_no_end);
	suite_add_tcase(suite, tests);
	return suite;
}
