/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server's side of memcached's text protocol: lines, some with a value as a
 * block behind them.
 *
 *	VALUE key flags bytes [cas]	then the value; END after the last one
 *	VA bytes flags*			then the value, of a meta command
 *	STAT, ITEM, ...			lines of a list, up to END
 *	ERROR, CLIENT_ERROR, SERVER_ERROR
 *	any other line			is the whole answer
 *
 * Commands are answered in order, but the answers of quiet commands may be
 * missing. If the answer of a later command comes, they are over.
 */
#include "protocols/memcached_parts.h"

#include <errno.h>
#include <string.h>

#define VALUE_MOST (UINT64_C(1) << 32)

static const char *const list_words[] = { "STAT", "ITEM", "PREFIX", "mg" };

/* ---- whose answer it is ----------------------------------------------------
 */

static bool
has_word(const struct text_line *line, const char *text)
{
	const unsigned char *at = line->bytes, *end = at + line->kept;
	struct memcached_word word;

	while (memcached_word(&at, end, &word)) {
		if (memcached_is(&word, text))
			return true;
	}
	return false;
}

/* Would a quiet command of this kind leave the answer out? (protocol.txt, the
 * flag q of each command) */
static bool
is_left_out(const struct question *question, const struct memcached_word *code)
{
	if (question->sequence == 'g')
		return memcached_is(code, "EN");
	return memcached_is(code, "HD") ||
	       (question->sequence != 's' && memcached_is(code, "NF"));
}

/* Can the line be the answer of the question? */
static bool
is_answer(const struct question *question, const struct text_line *line,
	  const struct memcached_word *code, bool meta)
{
	if (question->command != MEMCACHED_QUIET)
		return true;
	if (!meta)
		return false;
	if (question->name[0])
		return has_word(line, question->name);
	return !is_left_out(question, code);
}

static bool
is_meta(const struct memcached_word *code)
{
	static const char *const codes[] = { "HD", "VA", "EN", "NF",
					     "NS", "EX", "ME" };

	for (size_t i = 0; i < array_size(codes); i++) {
		if (memcached_is(code, codes[i]))
			return true;
	}
	return false;
}

/* Ends the first `count` questions, which are quiet and got no answer. */
void
memcached_end_quiet(struct memcached *memcached, size_t count, uint64_t when)
{
	struct questions *questions = &memcached->questions;
	const struct answer done = { .outcome = QUERY_DONE };

	for (; count > 0; count--) {
		struct question *head = question_at(questions, 0);

		strcpy(head->reply.text, QUERY_NO_REPLY);
		question_ends(questions, head, &done, when);
		questions_remove(questions, 0);
	}
}

/* Finds the question that the line answers, and ends the quiet questions before
 * it, so that it is the first one. False if no question fits. */
static bool
find_question(struct memcached *memcached, const struct text_line *line,
	      const struct memcached_word *code, uint64_t when)
{
	struct questions *questions = &memcached->questions;
	bool meta = is_meta(code);

	for (size_t i = 0; i < questions->count; i++) {
		if (is_answer(question_at(questions, i), line, code, meta)) {
			memcached_end_quiet(memcached, i, when);
			return true;
		}
	}
	return false;
}

/* ---- the end of an answer --------------------------------------------------
 */

static void
forget_answer(struct memcached *memcached)
{
	memcached->values = memcached->bytes = memcached->answered = 0;
	memcached->meta = false;
}

void
memcached_done(struct memcached *memcached, const struct answer *answer,
	       uint64_t when)
{
	struct questions *questions = &memcached->questions;
	struct question *head = question_at(questions, 0);

	head->answered = memcached->answered;
	head->bytes = memcached->bytes;
	question_ends(questions, head, answer, when);
	questions_remove(questions, 0);
	forget_answer(memcached);
}

static void
take_reply(struct query_reply *reply, const struct text_line *line,
	   const struct memcached_word *code)
{
	reply->known = lines_number(code->at, code->at + code->length,
				    (uint64_t *)&reply->number) &&
		       code->length == line->kept;
	if (!reply->known)
		lines_text(reply->text, sizeof(reply->text), code->at,
			   code->length);
}

/* Takes a line that is the rest of the answer, or all of it. */
static void
line_ends(struct memcached *memcached, const struct text_line *line,
	  const struct memcached_word *code, uint64_t when)
{
	struct question *head = question_at(&memcached->questions, 0);
	struct answer answer = { .outcome = QUERY_DONE };

	if (memcached_is(code, "ERROR") || memcached_is(code, "CLIENT_ERROR") ||
	    memcached_is(code, "SERVER_ERROR")) {
		answer.outcome = QUERY_FAILED;
		lines_text(answer.message, sizeof(answer.message), line->bytes,
			   line->kept);
	} else if (memcached_is(code, "END")) {
		answer.rows_known = head->command == MEMCACHED_VALUES;
		answer.rows = memcached->values;
	} else {
		take_reply(&head->reply, line, code);
	}
	memcached_done(memcached, &answer, when);
}

/* ---- lines -----------------------------------------------------------------
 */

static bool
is_listed(const struct question *head, const struct memcached_word *code)
{
	if (head->command != MEMCACHED_LIST)
		return false;
	for (size_t i = 0; i < array_size(list_words); i++) {
		if (memcached_is(code, list_words[i]))
			return true;
	}
	return code->length > 4 && memcmp(code->at, "key=", 4) == 0;
}

/* The value that a line announces by its n-th word, after the first. */
static int
begin_value(struct memcached *memcached, const struct text_line *line,
	    unsigned n)
{
	const unsigned char *at = line->bytes, *end = at + line->kept;
	struct memcached_word word = { at, 0 };
	uint64_t number;

	for (unsigned i = 0; i <= n; i++) {
		if (!memcached_word(&at, end, &word))
			return -EPROTO;
	}
	if (!lines_number(word.at, word.at + word.length, &number) ||
	    number > VALUE_MOST)
		return -EPROTO;
	lines_block(&memcached->server, number + 2, 0);
	return 0;
}

static int
take_line(struct memcached *memcached, const struct text_line *line,
	  uint64_t when)
{
	const unsigned char *at = line->bytes;
	struct memcached_word code;
	bool known;

	if (!memcached_word(&at, at + line->kept, &code))
		return -EPROTO;
	if (memcached->answered == 0)
		memcached->answered = line->began;
	memcached->bytes += line->length;
	known = find_question(memcached, line, &code, when);
	if (memcached_is(&code, "VALUE"))
		return begin_value(memcached, line, 3);
	if (memcached_is(&code, "VA")) {
		memcached->meta = known;
		return begin_value(memcached, line, 1);
	}
	if (!known)
		forget_answer(memcached);
	else if (!is_listed(question_at(&memcached->questions, 0), &code))
		line_ends(memcached, line, &code, when);
	return 0;
}

static void
take_block(struct memcached *memcached, const struct text_line *line,
	   uint64_t when)
{
	const struct answer answer = {
		.outcome = QUERY_DONE,
		.rows_known = true,
		.rows = 1,
	};

	memcached->bytes += line->length;
	memcached->values++;
	if (!memcached->meta)
		return;
	memcached_done(memcached, &answer, when);
}

int
memcached_server_lines(struct memcached *memcached, struct piece piece)
{
	struct text_line line;
	int r = 0;

	while (!memcached->over && r == 0) {
		int answer = lines_next(&memcached->server, &piece, &line);

		if (answer <= 0)
			return answer;
		if (line.block)
			take_block(memcached, &line, piece.when);
		else
			r = take_line(memcached, &line, piece.when);
	}
	return r;
}
