/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue is a vector and the index of its head, so that both ends are cheap.
 * When the end of the vector is reached, the questions are moved to its start.
 */
#include "protocols/questions.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The length to which a text is cut if the queue holds too many bytes. */
enum { TEXT_CUT = 1024 };

/* How often the listener is asked for the text of one statement, at most. */
enum { FAILURES_MOST = 8 };

void
questions_init(struct questions *questions, struct query_listener *listener)
{
	memset(questions, 0, sizeof(*questions));
	questions->listener = listener;
	questions->most = QUESTIONS_MOST;
}

void
questions_release(struct questions *questions)
{
	const struct answer lost = { .outcome = QUERY_LOST };

	while (questions->count > 0) {
		question_ends(questions, question_at(questions, 0), &lost, 0);
		questions_remove(questions, 0);
	}
	free(questions->at);
	free(questions->database);
	questions->database = NULL;
	questions->at = NULL;
	questions->room = 0;
}

static void
make_room(struct questions *questions)
{
	if (questions->first > 0 &&
	    questions->first + questions->count == questions->room) {
		memmove(questions->at, questions->at + questions->first,
			questions->count * sizeof(*questions->at));
		questions->first = 0;
	}
	if (questions->count == questions->room) {
		questions->room = questions->room ? questions->room * 2 : 8;
		questions->at = xreallocarray(questions->at, questions->room,
					      sizeof(*questions->at));
	}
}

struct question *
questions_add(struct questions *questions, unsigned char command,
	      uint64_t began, struct text *text)
{
	struct question *question;

	if (questions->count >= questions->most)
		return NULL;
	make_room(questions);
	question = &questions->at[questions->first + questions->count++];
	memset(question, 0, sizeof(*question));
	question->command = command;
	question->began = began;
	if (text && questions->bytes + text->length > QUESTIONS_BYTES_MOST &&
	    text->length > TEXT_CUT)
		question->text = text_new(text->bytes, TEXT_CUT, text->whole);
	else
		question->text = text_ref(text);
	if (question->text)
		questions->bytes += question->text->length;
	return question;
}

struct question *
question_at(struct questions *questions, size_t i)
{
	assert(i < questions->count);
	return &questions->at[questions->first + i];
}

/* Counts how often the text of this statement was not found. The count is the
 * length of a text that is kept under another key. Returns false if the text
 * should not be searched any more. */
static bool
may_search(struct texts *texts, uint64_t key)
{
	static const char counted[FAILURES_MOST];
	uint64_t other = texts_key('F', &key, sizeof(key));
	const struct text *failures = texts_get(texts, other);
	size_t count = failures ? failures->length + 1 : 1;
	struct text *more;

	if (count > FAILURES_MOST)
		return false;
	more = text_new(counted, count, count);
	texts_put(texts, other, more);
	text_unref(more);
	return true;
}

struct text *
questions_statement(struct questions *questions, struct texts *texts,
		    uint64_t key, const char *name)
{
	struct query_listener *listener = questions->listener;
	struct text *text = texts_get(texts, key);

	if (text || !listener->prepared || !may_search(texts, key))
		return text;
	text = listener->prepared(listener, name);
	if (!text)
		return NULL;
	texts_put(texts, key, text);
	text_unref(text);
	return text;
}

void
questions_use(struct questions *questions, const char *name, size_t length)
{
	free(questions->database);
	questions->database = length > 0 ? xstrndup(name, length) : NULL;
}

static struct query
query_of(const struct questions *questions, const struct question *question)
{
	struct query query = {
		.number = question->number,
		.kind = question->kind,
		.began = question->began,
		.answered = question->answered,
		.bytes = question->bytes,
		.reply = question->reply,
		.database = questions->database,
	};

	if (question->text) {
		query.text = question->text->bytes;
		query.length = question->text->length;
		query.whole = question->text->whole;
	}
	if (question->bound) {
		query.values = question->bound->values.at;
		query.value_count = question->bound->values.count;
		query.values_cut = question->bound->cut;
	}
	memcpy(query.name, question->name, sizeof(query.name));
	return query;
}

void
question_begins(struct questions *questions, struct question *question,
		enum query_kind kind)
{
	struct query query;

	question->told = true;
	question->kind = kind;
	question->number = ++questions->numbers;
	query = query_of(questions, question);
	questions->listener->begin(questions->listener, &query);
}

void
question_ends(struct questions *questions, struct question *question,
	      const struct answer *answer, uint64_t when)
{
	struct query query;

	if (!question->told)
		return;
	question->told = false;
	query = query_of(questions, question);
	query.outcome = QUERY_LOST;
	if (answer->outcome == QUERY_PENDING || answer->outcome == QUERY_LOST ||
	    when < question->began) {
		questions->listener->end(questions->listener, &query);
		return;
	}
	query.ended = when;
	query.outcome = answer->outcome;
	query.code = answer->code;
	memcpy(query.state, answer->state, sizeof(query.state));
	memcpy(query.message, answer->message, sizeof(query.message));
	query.rows_known = answer->rows_known;
	query.rows = answer->rows;
	query.transaction = answer->transaction;
	questions->listener->end(questions->listener, &query);
}

void
questions_unseen(struct questions *questions, unsigned char command,
		 uint64_t began, struct text *text)
{
	struct question *question =
		questions_add(questions, command, began, text);

	if (!question)
		return;
	question->unseen = true;
	question_begins(questions, question, QUERY_TEXT);
}

bool
questions_query(const struct questions *questions, uint64_t number,
		struct query *ret_query)
{
	for (size_t i = 0; i < questions->count; i++) {
		const struct question *question =
			&questions->at[questions->first + i];

		if (!question->told || question->number != number)
			continue;
		*ret_query = query_of(questions, question);
		return true;
	}
	return false;
}

void
questions_remove(struct questions *questions, size_t i)
{
	struct question *question = question_at(questions, i);

	assert(!question->told);
	if (question->text)
		questions->bytes -= question->text->length;
	text_unref(question->text);
	bound_free(question->bound);
	if (i == 0) {
		questions->first++;
	} else {
		memmove(question, question + 1,
			(questions->count - i - 1) * sizeof(*question));
	}
	if (--questions->count == 0)
		questions->first = 0;
}
