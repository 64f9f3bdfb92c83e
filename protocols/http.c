/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both directions have the same form:
 *
 *	START -> HEAD -+-> START			no body
 *	               +-> BODY -> START		Content-Length
 *	               +-> SIZE -> CHUNK -> SIZE ...
 *	               |      +-> TRAILER -> START	chunked
 *	               +-> REST				answers only
 *
 * Whether an answer has a body depends on its status and on the method of its
 * request, which is the first question (RFC 9112, 6.3).
 */
#include "protocols/http.h"

#include "base/str.h"
#include "protocols/served.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

enum {
	PIPELINE_MOST = 1 << 12, /* requests without an answer */
	DIGITS_MOST = 15,	 /* hexadecimal digits of a chunk's length */
};

/* The methods that decide whether an answer has a body: the values of
 * question.command. */
enum http_method {
	METHOD_OTHER,
	METHOD_HEAD,
	METHOD_CONNECT,
};

static void
side_start(struct http_side *side)
{
	side->part = HTTP_START;
	side->chunked = false;
	side->length = UINT64_MAX;
}

void
http_init(struct http *http, struct query_listener *listener)
{
	memset(http, 0, sizeof(*http));
	questions_init(&http->questions, listener);
	http->questions.most = PIPELINE_MOST;
	lines_init(&http->client.lines);
	lines_init(&http->server.lines);
	side_start(&http->client);
	side_start(&http->server);
}

/* The head of a failure is enough for a client, which may close the connection
 * without the body. */
static void
end_failed(struct http *http)
{
	struct answer answer = { .outcome = QUERY_FAILED };

	if (http->questions.count == 0 || http->server.part <= HTTP_HEAD ||
	    http->status < 400)
		return;
	memcpy(answer.message, http->reason, sizeof(answer.message));
	question_ends(&http->questions, question_at(&http->questions, 0),
		      &answer, http->headed);
}

void
http_release(struct http *http)
{
	end_failed(http);
	questions_release(&http->questions);
	lines_release(&http->client.lines);
	lines_release(&http->server.lines);
}

/* ---- heads ----------------------------------------------------------------
 */

/* If the line is a header of this name, its value without blanks around it. */
static bool
header_is(const struct text_line *line, const char *name,
	  const unsigned char **ret_at, const unsigned char **ret_end)
{
	size_t length = strlen(name);
	const unsigned char *at = line->bytes + length + 1;
	const unsigned char *end = line->bytes + line->kept;

	if (line->kept <= length || line->bytes[length] != ':' ||
	    strncasecmp((const char *)line->bytes, name, length) != 0)
		return false;
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*ret_at = at;
	*ret_end = end;
	return true;
}

static bool
ends_with(const unsigned char *at, const unsigned char *end, const char *text)
{
	size_t length = strlen(text);

	return (size_t)(end - at) >= length &&
	       strncasecmp((const char *)end - length, text, length) == 0;
}

static void
take_header(struct http_side *side, const struct text_line *line)
{
	const unsigned char *at, *end;
	uint64_t number;

	if (header_is(line, "Content-Length", &at, &end)) {
		if (lines_number(at, end, &number))
			side->length = number;
	} else if (header_is(line, "Transfer-Encoding", &at, &end)) {
		side->chunked = ends_with(at, end, "chunked");
	}
}

/* ---- bodies ---------------------------------------------------------------
 */

/* The head has ended, and a body may follow; true if there is none. */
static bool
begin_body(struct http_side *side)
{
	if (side->chunked) {
		side->part = HTTP_SIZE;
		return false;
	}
	if (side->length == UINT64_MAX || side->length == 0)
		return true;
	side->part = HTTP_BODY;
	lines_block(&side->lines, side->length, 0);
	return false;
}

static int
take_size(struct http_side *side, const struct text_line *line)
{
	uint64_t size = 0;
	size_t i = 0;

	for (; i < line->kept && isxdigit(line->bytes[i]); i++) {
		unsigned char digit = (unsigned char)tolower(line->bytes[i]);

		if (i >= DIGITS_MOST)
			return -EPROTO;
		size = size * 16 + (uint64_t)(digit <= '9' ? digit - '0'
							   : digit - 'a' + 10);
	}
	if (i == 0)
		return -EPROTO;
	side->part = size ? HTTP_CHUNK : HTTP_TRAILER;
	if (size)
		lines_block(&side->lines, size, 0);
	return 0;
}

/* Takes a line or a block of the body. Returns 1 if it was the last one, else 0
 * or -EPROTO. */
static int
take_body(struct http_side *side, const struct text_line *line)
{
	switch (side->part) {
	case HTTP_BODY:
		return 1;
	case HTTP_SIZE:
		/* The bytes of a chunk are followed by an empty line. */
		return line->kept == 0 ? 0 : take_size(side, line);
	case HTTP_CHUNK:
		side->part = HTTP_SIZE;
		return 0;
	case HTTP_TRAILER:
		return line->kept == 0;
	default:
		return 0;
	}
}

/* ---- the client -----------------------------------------------------------
 */

static void
add_target(struct str *to, const char *target, size_t length, bool query)
{
	const char *end = target + length, *at = target, *authority, *user;
	const char *mark = query ? NULL : memchr(target, '?', length);

	if (mark)
		end = mark;
	authority = memmem(at, (size_t)(end - at), "://", 3);
	if (*at != '/' && authority) {
		const char *path;

		authority += 3;
		path = memchr(authority, '/', (size_t)(end - authority));
		user = memrchr(authority, '@',
			       (size_t)((path ? path : end) - authority));
		if (user) {
			str_add_bytes(to, at, (size_t)(authority - at));
			at = user + 1;
		}
	}
	str_add_bytes(to, at, (size_t)(end - at));
}

static bool
is_method(const struct served_head *head, const char *name)
{
	return head->method_length == strlen(name) &&
	       memcmp(head->method, name, head->method_length) == 0;
}

static int
take_request(struct http *http, const struct text_line *line)
{
	struct query_listener *listener = http->questions.listener;
	struct question *question;
	struct served_head head;
	struct text *text;
	struct str words;

	if (line->kept == 0)
		return 0;
	if (!isupper(line->bytes[0]) ||
	    served_read(line->bytes, line->kept, &head) != SERVED_HEAD)
		return -EPROTO;
	str_init(&words);
	str_add_bytes(&words, head.method, head.method_length);
	str_add_char(&words, ' ');
	add_target(&words, head.target, head.target_length,
		   listener->wants_query_strings);
	text = text_new(words.text, words.length, words.length);
	str_release(&words);
	question = questions_add(&http->questions, METHOD_OTHER, line->began,
				 text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	if (is_method(&head, "HEAD"))
		question->command = METHOD_HEAD;
	else if (is_method(&head, "CONNECT"))
		question->command = METHOD_CONNECT;
	http->expects = http->body_unsure = false;
	http->client.part = HTTP_HEAD;
	question_begins(&http->questions, question, QUERY_TEXT);
	return 0;
}

static int
take_client(struct http *http, const struct text_line *line)
{
	struct http_side *side = &http->client;
	const unsigned char *at, *end;
	int r;

	if (side->part == HTTP_START)
		return take_request(http, line);
	if (side->part == HTTP_HEAD && line->kept > 0) {
		take_header(side, line);
		if (header_is(line, "Expect", &at, &end))
			http->expects = ends_with(at, end, "100-continue");
		return 0;
	}
	r = side->part == HTTP_HEAD ? begin_body(side) : take_body(side, line);
	if (r > 0)
		side_start(side);
	return r < 0 ? r : 0;
}

/* If the server has answered without asking for the body (100-continue), the
 * client may leave the body out. Its next bytes are then a request. */
static void
look_for_body(struct http *http, const struct piece *piece)
{
	struct http_side *side = &http->client;

	if (!http->body_unsure || side->lines.started || piece->left == 0)
		return;
	http->body_unsure = false;
	if (!http_detect_client(piece->at, piece->left, piece->left))
		return;
	side_start(side);
	lines_unblock(&side->lines);
}

int
http_client(struct http *http, struct piece piece)
{
	struct text_line line;
	int r = 0;

	look_for_body(http, &piece);
	while (!http->over && r == 0) {
		int answer = lines_next(&http->client.lines, &piece, &line);

		if (answer <= 0)
			return answer;
		r = take_client(http, &line);
	}
	return r;
}

/* ---- the server -----------------------------------------------------------
 */

static struct question *
head_question(struct http *http)
{
	return http->questions.count ? question_at(&http->questions, 0) : NULL;
}

static int
take_status(struct http *http, const struct text_line *line)
{
	const unsigned char *at = line->bytes;
	size_t length;

	if (line->kept == 0)
		return 0;
	if (line->kept < 12 || memcmp(at, "HTTP/1.", 7) != 0 || at[8] != ' ' ||
	    !isdigit(at[9]) || !isdigit(at[10]) || !isdigit(at[11]))
		return -EPROTO;
	http->status = (unsigned)(at[9] - '0') * 100 +
		       (unsigned)(at[10] - '0') * 10 + (unsigned)(at[11] - '0');
	length = line->kept > 13 ? line->kept - 13 : 0;
	if (length >= sizeof(http->reason))
		length = sizeof(http->reason) - 1;
	if (length > 0)
		memcpy(http->reason, at + 13, length);
	http->reason[length] = '\0';
	http->answered = line->began;
	http->bytes = 0;
	http->server.part = HTTP_HEAD;
	return 0;
}

static void
answer_ends(struct http *http, uint64_t when)
{
	struct question *head = head_question(http);
	struct answer answer = { .outcome = QUERY_DONE };

	side_start(&http->server);
	if (!head)
		return;
	if (http->status >= 400) {
		answer.outcome = QUERY_FAILED;
		memcpy(answer.message, http->reason, sizeof(answer.message));
	}
	head->bytes = http->bytes;
	question_ends(&http->questions, head, &answer, when);
	questions_remove(&http->questions, 0);
	http->body_unsure = http->expects && http->client.part != HTTP_START &&
			    http->client.part != HTTP_HEAD;
}

/* The head of an answer has ended. */
static void
answer_begins(struct http *http, uint64_t when)
{
	struct question *head = head_question(http);
	unsigned method = head ? head->command : METHOD_OTHER;
	unsigned status = http->status;
	struct http_side *side = &http->server;

	if (status / 100 == 1 && status != 101) {
		if (status == 100)
			http->expects = false;
		side_start(side);
		return;
	}
	http->headed = when;
	if (head) {
		head->answered = http->answered;
		head->reply.known = true;
		head->reply.number = status;
	}
	if (status == 101 || (method == METHOD_CONNECT && status / 100 == 2)) {
		answer_ends(http, when);
		http->over = true;
		return;
	}
	if (method == METHOD_HEAD || status == 204 || status == 304 ||
	    (begin_body(side) && side->length == 0)) {
		answer_ends(http, when);
		return;
	}
	if (side->part == HTTP_HEAD) {
		side->part = HTTP_REST;
		lines_block(&side->lines, UINT64_MAX, 0);
	}
}

static int
take_server(struct http *http, const struct text_line *line, uint64_t when)
{
	struct http_side *side = &http->server;
	int r;

	if (side->part == HTTP_START) {
		r = take_status(http, line);
		http->bytes += line->length;
		return r;
	}
	http->bytes += line->length;
	if (side->part == HTTP_HEAD && line->kept > 0) {
		take_header(side, line);
		return 0;
	}
	if (side->part == HTTP_HEAD) {
		answer_begins(http, when);
		return 0;
	}
	r = take_body(side, line);
	if (r > 0)
		answer_ends(http, when);
	return r < 0 ? r : 0;
}

int
http_server(struct http *http, struct piece piece)
{
	struct text_line line;
	int r = 0;

	while (!http->over && r == 0) {
		int answer = lines_next(&http->server.lines, &piece, &line);

		if (answer <= 0)
			return answer;
		r = take_server(http, &line, piece.when);
	}
	return r;
}

void
http_ended(struct http *http, uint64_t when)
{
	if (http->server.part != HTTP_REST)
		return;
	http->bytes +=
		http->server.lines.started ? http->server.lines.length : 0;
	answer_ends(http, when);
	http->over = true;
}

/* ---- detection ------------------------------------------------------------
 */

bool
http_detect_client(const unsigned char *bytes, size_t have, uint64_t whole)
{
	struct served_head head;
	const unsigned char *blank;

	if (have == 0 || !isupper(bytes[0]))
		return false;
	switch (served_read(bytes, have, &head)) {
	case SERVED_HEAD:
		return true;
	case SERVED_MORE:
		/* The target is longer than the bytes that we have. */
		blank = memchr(bytes, ' ', have);
		return have < whole && blank &&
		       (size_t)(blank - bytes) + 1 < have && blank[1] == '/';
	default:
		return false;
	}
}
