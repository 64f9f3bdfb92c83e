/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * HTTP/1.0 and HTTP/1.1, read from the bytes of both directions. A query is a
 * request; its text is the method and the target, without the query string and
 * without a password in it. Its reply is the status; 400 and more are failures.
 * Pipelining, chunks, interim answers (100, 103) and answers without a body are
 * followed. A connection that is upgraded or becomes a tunnel is not followed
 * any more. No value of a header is kept.
 *
 * Facts: RFC 9112 (messages, lengths of bodies: section 6), RFC 9110 (methods,
 * statuses, section 10.1.1: 100-continue).
 */
#ifndef PROTOCOLS_HTTP_H
#define PROTOCOLS_HTTP_H

#include "protocols/lines.h"
#include "protocols/questions.h"

enum http_part {
	HTTP_START, /* the request line, or the status line */
	HTTP_HEAD,  /* the lines of the head; an empty one ends it */
	HTTP_BODY,  /* as many bytes as the head has told */
	HTTP_SIZE,  /* the length of a chunk */
	HTTP_CHUNK, /* the bytes of a chunk, and the end of their line */
	HTTP_TRAILER,
	HTTP_REST, /* the body has no length: up to the end of the connection */
};

/* What is known of one direction of the connection. */
struct http_side {
	struct line_reader lines;
	enum http_part part;
	bool chunked;
	uint64_t length; /* of the body; UINT64_MAX: not told */
};

struct http {
	struct questions questions;
	struct http_side client, server;
	bool over;
	/* The client has said that it waits for 100 before it sends the body.
	 */
	bool expects;
	/* The request was answered without 100, so its body may not come. */
	bool body_unsure;
	/* The answer that is coming. */
	unsigned status;
	uint64_t answered; /* when the answer's first byte came */
	uint64_t headed;   /* when the end of the answer's head came */
	uint64_t bytes;
	char reason[QUERY_MESSAGE_MOST];
};

void http_init(struct http *http, struct query_listener *listener);
void http_release(struct http *http);
/* Takes bytes from the client, or from the server. Returns 0, or -EPROTO if
 * they make no sense; then http must be released. */
must_check int http_client(struct http *http, struct piece piece);
must_check int http_server(struct http *http, struct piece piece);
/* The server has ended the connection: this may be the end of an answer. */
void http_ended(struct http *http, uint64_t when);

/* True if these can be the first bytes of a request: the first `have` bytes of
 * a piece with `whole` bytes. */
bool http_detect_client(const unsigned char *bytes, size_t have,
			uint64_t whole);

#endif
