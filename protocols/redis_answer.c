/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server's side of RESP. A reply is one value, or values within values; its
 * end is found by counting. A value that contains n values adds n to the
 * number of values that have not come yet, and each value takes one.
 *
 *	+ - : _ # , (	a line			$ = !	a line, and a block
 *	* ~ % >		a line, and values	|	values before a reply
 *
 * A map has two values for each pair. Of a reply only its type, its length and
 * its first element are looked at, never its values.
 *
 * Messages of channels are arrays in RESP 2, and pushes in RESP 3. So are the
 * answers to SUBSCRIBE and its kind, one for each channel.
 */
#include "protocols/redis.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum { REPLY_KEEP = QUERY_MESSAGE_MOST };

/* The most values in one value. More make no sense, and no sum of these numbers
 * overflows. */
#define VALUES_MOST (UINT64_C(1) << 32)
#define LEFT_MOST (UINT64_C(1) << 48)

static const char *
name_of(unsigned char type)
{
	switch (type) {
	case '$':
	case '=':
		return "string";
	case '*':
		return "array";
	case '~':
		return "set";
	case '%':
		return "map";
	case '>':
		return "push";
	default:
		return "nil";
	}
}

/* ---- whose answer it is ----------------------------------------------------
 */

static bool
is_confirmation(const struct redis_reply *reply)
{
	const char *word = strstr(reply->first, "subscribe");

	/* subscribe, and with s, p, un, sun or pun before it */
	return word && word - reply->first <= 3 && word[9] == '\0';
}

static bool
is_message(const struct redis_reply *reply)
{
	return !strcmp(reply->first, "message") ||
	       !strcmp(reply->first, "pmessage") ||
	       !strcmp(reply->first, "smessage");
}

/* Does the question wait for confirmations? */
static bool
subscribes(struct redis *redis)
{
	return redis->questions.count > 0 &&
	       question_at(&redis->questions, 0)->command == 'S';
}

/* Does the reply answer no command? */
static bool
is_pushed(struct redis *redis)
{
	const struct redis_reply *reply = &redis->reply;
	bool list = reply->type == '*' && redis->subscribed;

	if (reply->type == '>' || list) {
		if (is_confirmation(reply))
			return !subscribes(redis);
		return reply->type == '>' || is_message(reply);
	}
	return redis->monitors && reply->type == '+' &&
	       isdigit((unsigned char)reply->reply.text[0]);
}

static void
reply_ends(struct redis *redis, uint64_t when)
{
	struct questions *questions = &redis->questions;
	const struct redis_reply *reply = &redis->reply;
	struct question *head;

	if (questions->count == 0 || is_pushed(redis))
		return;
	head = question_at(questions, 0);
	if (head->answered == 0)
		head->answered = reply->began;
	head->bytes += reply->bytes;
	head->reply = reply->reply;
	if (reply->answer.outcome != QUERY_FAILED && --head->answers > 0)
		return;
	question_ends(questions, head, &reply->answer, when);
	questions_remove(questions, 0);
}

/* ---- values ----------------------------------------------------------------
 */

/* A value of the reply has come; `adds` values are in it. */
static int
value_came(struct redis *redis, uint64_t adds, uint64_t when)
{
	struct redis_reply *reply = &redis->reply;

	if (reply->left + adds > LEFT_MOST)
		return -EPROTO;
	if (reply->attribute > 0) {
		reply->attribute += adds - 1;
		reply->left += adds - 1;
		return 0;
	}
	reply->values++;
	reply->left += adds - 1;
	if (reply->left == 0)
		reply_ends(redis, when);
	return 0;
}

/* Takes the line with which the reply begins: its type, and its value or the
 * number of its values. */
static void
take_top(struct redis_reply *reply, const struct text_line *line, int64_t count)
{
	unsigned char type = line->bytes[0];
	const unsigned char *rest = line->bytes + 1;
	size_t length = line->kept - 1;
	struct answer *answer = &reply->answer;
	struct query_reply *shown = &reply->reply;
	uint64_t number;
	bool minus = length > 0 && rest[0] == '-';

	reply->type = type;
	answer->outcome = QUERY_DONE;
	switch (type) {
	case '-':
		answer->outcome = QUERY_FAILED;
		lines_text(answer->message, sizeof(answer->message), rest,
			   length);
		return;
	case ':':
		if (lines_number(rest + minus, rest + length, &number)) {
			shown->known = true;
			shown->number =
				minus ? -(int64_t)number : (int64_t)number;
			return;
		}
		break;
	case '+':
	case ',':
	case '(':
		break;
	case '#':
		rest = (const unsigned char *)(length > 0 && rest[0] == 't'
						       ? "true"
						       : "false");
		length = strlen((const char *)rest);
		break;
	default:
		rest = (const unsigned char *)(count < 0 ? "nil"
							 : name_of(type));
		length = strlen((const char *)rest);
		answer->rows_known = count >= 0 && strchr("*~%", type);
		answer->rows = answer->rows_known ? (uint64_t)count : 0;
	}
	lines_text(shown->text, sizeof(shown->text), rest, length);
}

static void
take_first(struct redis_reply *reply, const unsigned char *bytes, size_t length)
{
	if (reply->attribute > 0 || reply->values != 1)
		return;
	lines_text(reply->first, sizeof(reply->first), bytes, length);
	for (char *c = reply->first; *c; c++)
		*c = (char)tolower((unsigned char)*c);
}

/* The number in a line such as "$3": -1 if there is no value; false if it is no
 * number. */
static bool
count_of(const struct text_line *line, int64_t *ret_count)
{
	const unsigned char *at = line->bytes + 1,
			    *end = line->bytes + line->kept;
	uint64_t number;

	if (end - at == 2 && at[0] == '-' && at[1] == '1') {
		*ret_count = -1;
		return true;
	}
	if (!lines_number(at, end, &number) || number > VALUES_MOST)
		return false;
	*ret_count = (int64_t)number;
	return true;
}

static void
start(struct redis_reply *reply, const struct text_line *line)
{
	if (reply->left > 0)
		return;
	*reply = (struct redis_reply){ .left = 1, .began = line->began };
}

static int
take_line(struct redis *redis, const struct text_line *line, uint64_t when)
{
	struct redis_reply *reply = &redis->reply;
	unsigned char type = line->kept > 0 ? line->bytes[0] : 0;
	int64_t count = 0;
	bool top;

	if (type == 0 || !strchr("+-:_#,($=!*~%>|", type))
		return -EPROTO;
	if (strchr("$=!*~%>|", type) && !count_of(line, &count))
		return -EPROTO;
	start(reply, line);
	reply->bytes += line->length;
	if (type == '|') {
		/* An attribute precedes a value and is not counted as one. */
		if (count < 0 || reply->left > LEFT_MOST)
			return -EPROTO;
		if (reply->values == 0 || reply->attribute > 0)
			reply->attribute += 2 * (uint64_t)count;
		reply->left += 2 * (uint64_t)count;
		return 0;
	}
	top = reply->values == 0 && reply->attribute == 0;
	if (top)
		take_top(reply, line, count);
	else if (type == '+')
		take_first(reply, line->bytes + 1, line->kept - 1);
	if (strchr("$=!", type) && count >= 0) {
		reply->element = type;
		lines_block(&redis->server, (uint64_t)count + 2, REPLY_KEEP);
		return 0;
	}
	if (count < 0 || !strchr("*~%>", type))
		count = 0;
	return value_came(redis, (uint64_t)count * (type == '%' ? 2 : 1), when);
}

static int
take_block(struct redis *redis, const struct text_line *line, uint64_t when)
{
	struct redis_reply *reply = &redis->reply;
	uint64_t length = line->length - 2;
	size_t kept = line->kept < length ? line->kept : (size_t)length;

	reply->bytes += line->length;
	if (reply->values > 0) {
		take_first(reply, line->bytes, kept);
	} else if (reply->attribute == 0 && reply->element == '!') {
		reply->answer.outcome = QUERY_FAILED;
		lines_text(reply->answer.message, sizeof(reply->answer.message),
			   line->bytes, kept);
	}
	return value_came(redis, 0, when);
}

int
redis_server(struct redis *redis, struct piece piece)
{
	struct text_line line;
	int r = 0;

	while (!redis->over && r == 0) {
		int answer = lines_next(&redis->server, &piece, &line);

		if (answer <= 0)
			return answer;
		r = line.block ? take_block(redis, &line, piece.when)
			       : take_line(redis, &line, piece.when);
	}
	return r;
}
