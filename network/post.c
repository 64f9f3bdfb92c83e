/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One text after the other is sent. If the server is overloaded or cannot be
 * reached, the text is sent again, after a time that grows, or that the server
 * asks for; other failures lose the text
 * (https://opentelemetry.io/docs/specs/otlp, "Failures"). Meanwhile the queue
 * fills, and drops its oldest texts.
 *
 * When xtrace has ended, what is left is sent, for some seconds. Then the rest
 * is lost.
 */
#include "network/post.h"

#include "base/clock.h"
#include "base/gzip.h"
#include "network/apart.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS UINT64_C(1000000)
/* The waits between two tries to send a text: the first wait, the factor by
 * which they grow, and the longest wait. */
#define WAIT_FIRST_MS 500u
#define WAIT_FACTOR 2u
#define WAIT_MOST_MS 30000u
/* For how long the process tries to send one text. */
#define TRYING (300 * CLOCK_SECOND)

struct sender {
	const struct post *post;
	/* After xtrace has ended: the time at which sending ends, too. Before
	 * that, 0. */
	uint64_t limit;
	struct str text, body;
};

static bool
ended(struct sender *sender)
{
	if (!sender->limit && !apart_awake())
		sender->limit = clock_now() + POST_PATIENCE_MS * MS;
	return sender->limit != 0;
}

static bool
must_stop(void *argument)
{
	struct sender *sender = argument;

	return ended(sender) && clock_now() >= sender->limit;
}

/* Waits for ns nanoseconds, but not longer than sender->limit allows. */
static void
pause_for(struct sender *sender, uint64_t ns)
{
	uint64_t until = clock_now() + ns, now;

	while ((now = clock_now()) < until && !must_stop(sender)) {
		struct pollfd life = { .fd = APART_LIFE, .events = POLLIN };
		uint64_t limit = sender->limit;
		uint64_t end = limit && limit < until ? limit : until;

		/* After xtrace's end, poll() would return at once for its
		 * pipe, so the pipe is not polled then. */
		poll(&life, limit ? 0 : 1,
		     (int)(clock_between(now, end) / MS) + 1);
	}
}

/* Waits until there may be a text, or xtrace has ended. */
static void
await_work(void)
{
	struct pollfd life = { .fd = APART_LIFE, .events = POLLIN };

	while (poll(&life, 1, -1) < 0 && errno == EINTR)
		;
}

static bool
worth_another_try(const struct curl_answer *answer)
{
	switch (answer->code) {
	case 0:
	case 429:
	case 502:
	case 503:
	case 504:
		return true;
	default:
		return false;
	}
}

/* Half of the time is random, so that many senders do not try again at the same
 * moment. */
static uint64_t
wait_time(unsigned milliseconds, const struct curl_answer *answer)
{
	uint64_t ns = milliseconds * MS;

	if (answer->retry_after)
		return answer->retry_after * CLOCK_SECOND;
	return ns / 2 + clock_now() % (ns / 2);
}

static void
note_failure(struct post_told *told, const struct curl_answer *answer)
{
	if (answer->code)
		snprintf(told->why, sizeof(told->why), "the server answers %d",
			 answer->code);
	else
		snprintf(told->why, sizeof(told->why), "%s", answer->why);
}

/* Sends the body, several times if another try may succeed. False if the body
 * was not sent. */
static bool
deliver(struct sender *sender, const char *url)
{
	const struct post *post = sender->post;
	uint64_t until = clock_now() + TRYING;
	unsigned wait = WAIT_FIRST_MS;
	struct curl_answer answer;

	while (!must_stop(sender)) {
		curl_post(post->curl, url, &sender->body, &answer);
		if (answer.code >= 200 && answer.code < 300)
			return true;
		note_failure(post->told, &answer);
		if (!worth_another_try(&answer) || clock_now() >= until)
			return false;
		pause_for(sender, wait_time(wait, &answer));
		wait *= WAIT_FACTOR;
		if (wait > WAIT_MOST_MS)
			wait = WAIT_MOST_MS;
	}
	return false;
}

static void
compress(struct sender *sender)
{
	struct gzip *gzip = gzip_new(true);

	str_clear(&sender->body);
	gzip_add(gzip, &sender->text, &sender->body);
	gzip_end(gzip, &sender->body);
}

static void
send_all(struct sender *sender)
{
	const struct post *post = sender->post;
	uint32_t items;

	while (queue_take(post->queue, &sender->text, &items)) {
		compress(sender);
		if (deliver(sender, post->url_of(post, &sender->text)))
			atomic_fetch_add(&post->told->sent, items);
		else
			atomic_fetch_add(&post->told->lost, items);
	}
}

void
post(void *argument)
{
	struct sender sender = { .post = argument };
	bool last;

	curl_stop_when(sender.post->curl, must_stop, &sender);
	do {
		last = ended(&sender);
		send_all(&sender);
		if (!last)
			await_work();
	} while (!last);
	str_release(&sender.text);
	str_release(&sender.body);
}
