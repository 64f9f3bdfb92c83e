/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracing thread puts each line into a queue in shared memory, and never
 * waits. A process of its own, which cannot trace, sends the lines. What the
 * queue has dropped, and what could not be sent, is told at the end.
 *
 * Headers with secrets, such as a token, are not for a command line, which
 * every user can read. They are in OTEL_EXPORTER_OTLP_HEADERS, a list of
 * NAME=VALUE with commas
 * (https://opentelemetry.io/docs/specs/otel/protocol/exporter).
 */
#include "tracer/run/posted.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "network/apart.h"
#include "network/post.h"
#include "output/out.h"
#include "tracer/model/say.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ROOM ((size_t)8 << 20)
/* How long xtrace waits at its end for the process that sends. That process
 * stops sending a second earlier. */
#define PATIENCE_MS (POST_PATIENCE_MS + 1000u)

struct posted {
	struct out_target target;
	struct post post;
	struct apart apart;
	bool stats; /* what was sent is told, too */
	char *traces, *metrics;
	struct str certificates;
};

/* ---- what is sent ----------------------------------------------------------
 */

/* Each span in a line begins with these characters. They cannot occur inside of
 * a text, in which quotes are escaped. */
static const char span_begin[] = "{\"traceId\":";
static const char spans_begin[] = "{\"resourceSpans\"";

static uint32_t
count_spans(const char *line, size_t length)
{
	const char *at = line, *end = line + length;
	uint32_t count = 0;

	while ((at = memmem(at, (size_t)(end - at), span_begin,
			    strlen(span_begin)))) {
		count++;
		at += strlen(span_begin);
	}
	return count;
}

static const char *
url_of(const struct post *post, const struct str *text)
{
	bool spans = !strncmp(str_text(text), spans_begin, strlen(spans_begin));

	return post->urls[spans ? 0 : 1];
}

/* Puts each of the lines into the queue: each line becomes one request. */
static void
put(struct out_target *target, const char *bytes, size_t length)
{
	struct posted *posted = container_of(target, struct posted, target);
	const char *at = bytes, *end = bytes + length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;
		size_t size = (size_t)(stop - at);

		queue_put(posted->post.queue, at, size, count_spans(at, size));
		at = newline ? newline + 1 : end;
	}
	apart_wake(&posted->apart);
}

/* ---- the end ---------------------------------------------------------------
 */

static void
posted_free(struct posted *posted)
{
	if (posted->post.told)
		munmap(posted->post.told, sizeof(*posted->post.told));
	queue_free(posted->post.queue);
	curl_free(posted->post.curl);
	str_release(&posted->certificates);
	free(posted->traces);
	free(posted->metrics);
	free(posted);
}

static void
say_counts(const struct posted *posted)
{
	const struct post_told *told = posted->post.told;
	uint64_t dropped = queue_dropped(posted->post.queue);
	uint64_t sent = atomic_load(&told->sent);
	uint64_t lost = atomic_load(&told->lost) + dropped;

	if (lost > 0)
		say("--otlp: %" PRIu64 " spans were sent, and %" PRIu64
		    " were not: %s",
		    sent, lost, *told->why ? told->why : "the queue was full");
	else if (posted->stats)
		say("--otlp: %" PRIu64 " spans were sent", sent);
}

static int
end(struct out_target *target)
{
	struct posted *posted = container_of(target, struct posted, target);

	apart_end(&posted->apart, PATIENCE_MS);
	say_counts(posted);
	posted_free(posted);
	return 0;
}

/* ---- the beginning ---------------------------------------------------------
 */

static char *
url_for(const char *base, const char *path)
{
	size_t length = strlen(base);

	while (length > 0 && base[length - 1] == '/')
		length--;
	return xasprintf("%.*s%s", (int)length, base, path);
}

/* Decodes "%20" at `text` and adds the byte, but no control character. Returns
 * how many characters behind the "%" were read. */
static size_t
add_escaped(struct str *to, const char *text)
{
	unsigned code;

	if (!isxdigit((unsigned char)text[1]) ||
	    !isxdigit((unsigned char)text[2]) ||
	    sscanf(text + 1, "%2x", &code) != 1) {
		str_add_char(to, '%');
		return 0;
	}
	if (code >= ' ')
		str_add_char(to, (char)code);
	return 2;
}

/* Adds the headers of a list NAME=VALUE,NAME=VALUE as lines "NAME: VALUE". */
static void
add_headers(struct str *to, const char *list)
{
	bool named = false; /* the name of this header is complete */

	for (const char *at = list; *at; at++) {
		unsigned char c = (unsigned char)*at;

		if (c == ',') {
			str_add_char(to, '\n');
			named = false;
		} else if (c == '=' && !named) {
			str_add(to, ": ");
			named = true;
		} else if (c == '%') {
			at += add_escaped(to, at);
		} else if (c >= ' ') {
			str_add_char(to, *at);
		}
	}
}

static void
set_requests(struct posted *posted)
{
	const char *given = getenv("OTEL_EXPORTER_OTLP_HEADERS");
	struct str headers = { 0 };

	str_add(&headers, "Content-Type: application/json\n"
			  "Content-Encoding: gzip\nExpect:\n");
	if (given)
		add_headers(&headers, given);
	curl_set(posted->post.curl, str_text(&headers), &posted->certificates);
	str_release(&headers);
}

/* Reads the file of certificates now, because the process that sends may have
 * no right to read it. */
static int
read_certificates(struct posted *posted, struct err *err)
{
	const char *path = getenv("OTEL_EXPORTER_OTLP_CERTIFICATE");
	cleanup(freep) char *text = NULL;
	int r;

	if (!path || !*path)
		return 0;
	r = fd_read_file(path, &text, NULL);
	if (r < 0)
		return err_set(err, r, "%s: cannot be read: %s", path,
			       strerror(-r));
	str_add(&posted->certificates, text);
	return 0;
}

static int
start(struct posted *posted, struct err *err)
{
	struct apart_work work = {
		.name = "xtrace-sender",
		.given = -1,
		.run = post,
		.argument = &posted->post,
	};
	void *told =
		mmap(NULL, sizeof(*posted->post.told), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int r = curl_load(&posted->post.curl, err);

	posted->post.told = told == MAP_FAILED ? NULL : told;
	posted->post.queue = queue_new(ROOM);
	if (r == 0)
		r = read_certificates(posted, err);
	if (r < 0)
		return r;
	if (!posted->post.told || !posted->post.queue)
		return err_set(err, -ENOMEM, "no memory for a queue");
	set_requests(posted);
	return apart_start(&posted->apart, &work, err);
}

int
posted_open(const char *url, bool stats, struct out **ret_out, struct err *err)
{
	struct posted *posted = xcalloc(1, sizeof(*posted));
	int r;

	posted->target = (struct out_target){ .get = put, .close = end };
	posted->stats = stats;
	posted->traces = url_for(url, "/v1/traces");
	posted->metrics = url_for(url, "/v1/metrics");
	posted->post.url_of = url_of;
	posted->post.urls[0] = posted->traces;
	posted->post.urls[1] = posted->metrics;
	r = start(posted, err);
	if (r < 0) {
		posted_free(posted);
		return r;
	}
	*ret_out = out_target(&posted->target);
	return 0;
}
