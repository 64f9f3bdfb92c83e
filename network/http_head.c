/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only the first line of a request matters (RFC 9112, 3): every connection is
 * closed after one answer, and requests with a body are refused.
 */
#include "network/http_head.h"

#include <string.h>

static const char text_type[] = "text/plain; charset=utf-8";
/* https://prometheus.io/docs/instrumenting/exposition_formats */
static const char metrics_type[] = "text/plain; version=0.0.4; charset=utf-8";

struct http_line {
	const char *method, *target;
	size_t method_length, target_length; /* the target without its query */
};

bool
http_head_complete(const struct str *request)
{
	const char *text = str_text(request);

	return strstr(text, "\r\n\r\n") || strstr(text, "\n\n");
}

/* The words of "GET /metrics?a=b HTTP/1.1". */
static bool
read_line(const struct str *request, struct http_line *line)
{
	const char *text = str_text(request);
	const char *end = text + strcspn(text, "\r\n");
	const char *blank = strchr(text, ' ');
	const char *target = blank ? blank + 1 : end;
	const char *version;

	if (!blank || blank >= end || blank == text)
		return false;
	version = strchr(target, ' ');
	if (!version || version >= end ||
	    strncmp(version + 1, "HTTP/1.", strlen("HTTP/1.")) != 0)
		return false;
	line->method = text;
	line->method_length = (size_t)(blank - text);
	line->target = target;
	line->target_length = strcspn(target, " ?");
	return true;
}

static bool
is(const char *text, size_t length, const char *word)
{
	return length == strlen(word) && strncmp(text, word, length) == 0;
}

static void
add_answer(struct str *to, const char *status, const char *type,
	   const char *body, size_t length)
{
	str_addf(to,
		 "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
		 "Connection: close\r\n\r\n",
		 status, type, length);
	if (body)
		str_add_bytes(to, body, length);
}

static void
add_text(struct str *to, const char *status, const char *body)
{
	add_answer(to, status, text_type, body, strlen(body));
}

void
http_head_answer(struct str *to, const struct str *request,
		 const struct str *metrics)
{
	struct http_line line;
	size_t head;

	if (!http_head_complete(request) || !read_line(request, &line)) {
		add_text(to, "400 Bad Request", "not a request\n");
		return;
	}
	if (!is(line.method, line.method_length, "GET") &&
	    !is(line.method, line.method_length, "HEAD")) {
		add_text(to, "405 Method Not Allowed\r\nAllow: GET, HEAD",
			 "only GET and HEAD\n");
		return;
	}
	if (is(line.target, line.target_length, "/metrics"))
		add_answer(to, "200 OK", metrics_type, str_text(metrics),
			   metrics->length);
	else if (is(line.target, line.target_length, "/"))
		add_text(to, "200 OK", "xtrace: /metrics has the metrics\n");
	else
		add_text(to, "404 Not Found", "/metrics has the metrics\n");
	if (is(line.method, line.method_length, "HEAD")) {
		head = (size_t)(strstr(str_text(to), "\r\n\r\n") + 4 -
				str_text(to));
		str_cut(to, head);
	}
}
