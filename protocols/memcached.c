/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client's side of memcached's text protocol. A command is a line; some are
 * followed by a value, whose length is a word of the line:
 *
 *	set KEY FLAGS EXPTIME BYTES [noreply] CRLF value CRLF
 *	ms KEY BYTES FLAGS* CRLF value CRLF
 *
 * A command with a value begins when the value has come. The answer of a quiet
 * meta command (flag q) may be missing. Then an opaque token (flag O) or the
 * key (flag k) in the answers tells to which commands they belong; it is kept
 * as the name of the question.
 */
#include "protocols/memcached_parts.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

enum {
	PIPELINE_MOST = 1 << 16, /* commands without an answer */
	KEY_MOST = 250,		 /* of a key */
	WORDS_MOST = 32,	 /* of a line, that are looked at */
};

/* A value of more bytes makes no sense, because no server accepts it. */
#define VALUE_MOST (UINT64_C(1) << 32)

struct command_form {
	const char *name;
	enum memcached_kind kind;
	unsigned least; /* fewest words, with the command */
	unsigned value; /* which word is the length of a value; 0: none */
};

static const struct command_form forms[] = {
	{ "get", MEMCACHED_VALUES, 2, 0 },
	{ "gets", MEMCACHED_VALUES, 2, 0 },
	{ "gat", MEMCACHED_VALUES, 3, 0 },
	{ "gats", MEMCACHED_VALUES, 3, 0 },
	{ "set", MEMCACHED_LINE, 5, 4 },
	{ "add", MEMCACHED_LINE, 5, 4 },
	{ "replace", MEMCACHED_LINE, 5, 4 },
	{ "append", MEMCACHED_LINE, 5, 4 },
	{ "prepend", MEMCACHED_LINE, 5, 4 },
	{ "cas", MEMCACHED_LINE, 6, 4 },
	{ "delete", MEMCACHED_LINE, 2, 0 },
	{ "incr", MEMCACHED_LINE, 3, 0 },
	{ "decr", MEMCACHED_LINE, 3, 0 },
	{ "touch", MEMCACHED_LINE, 3, 0 },
	{ "flush_all", MEMCACHED_LINE, 1, 0 },
	{ "version", MEMCACHED_LINE, 1, 0 },
	{ "verbosity", MEMCACHED_LINE, 1, 0 },
	{ "stats", MEMCACHED_LIST, 1, 0 },
	{ "lru_crawler", MEMCACHED_LIST, 2, 0 },
	{ "mg", MEMCACHED_META, 2, 0 },
	{ "ms", MEMCACHED_META, 3, 2 },
	{ "md", MEMCACHED_META, 2, 0 },
	{ "ma", MEMCACHED_META, 2, 0 },
	{ "me", MEMCACHED_META, 2, 0 },
	{ "mn", MEMCACHED_NOOP, 1, 0 },
	{ "quit", MEMCACHED_NOTHING, 1, 0 },
	{ "shutdown", MEMCACHED_NOTHING, 1, 0 },
	{ "watch", MEMCACHED_STREAM, 1, 0 },
};

/* A command that is not in the table has a line as its answer, as an error is.
 */
static const struct command_form unknown = { "", MEMCACHED_LINE, 1, 0 };

void
memcached_init(struct memcached *memcached, struct query_listener *listener)
{
	memset(memcached, 0, sizeof(*memcached));
	questions_init(&memcached->questions, listener);
	memcached->questions.most = PIPELINE_MOST;
	lines_init(&memcached->client);
	lines_init(&memcached->server);
	str_init(&memcached->line);
}

void
memcached_release(struct memcached *memcached)
{
	questions_release(&memcached->questions);
	lines_release(&memcached->client);
	lines_release(&memcached->server);
	str_release(&memcached->line);
}

bool
memcached_word(const unsigned char **at, const unsigned char *end,
	       struct memcached_word *ret_word)
{
	const unsigned char *start;

	while (*at < end && **at == ' ')
		(*at)++;
	start = *at;
	while (*at < end && **at != ' ')
		(*at)++;
	*ret_word = (struct memcached_word){ start, (size_t)(*at - start) };
	return *at > start;
}

bool
memcached_is(const struct memcached_word *word, const char *text)
{
	return word->length == strlen(text) &&
	       memcmp(word->at, text, word->length) == 0;
}

/* ---- a line ---------------------------------------------------------------
 */

struct memcached_words {
	struct memcached_word at[WORDS_MOST];
	size_t count;
	/* the last word of the line, even if `at` is full */
	struct memcached_word last;
};

static void
split(const unsigned char *at, size_t length, struct memcached_words *words)
{
	const unsigned char *end = at + length;
	struct memcached_word word;

	words->count = 0;
	words->last = (struct memcached_word){ at, 0 };
	while (memcached_word(&at, end, &word)) {
		if (words->count < WORDS_MOST)
			words->at[words->count++] = word;
		words->last = word;
	}
}

static const struct command_form *
form_of(const struct memcached_words *words)
{
	for (size_t i = 0; words->count > 0 && i < array_size(forms); i++) {
		if (memcached_is(&words->at[0], forms[i].name))
			return words->count >= forms[i].least ? &forms[i]
							      : &unknown;
	}
	return &unknown;
}

static void
set_name(struct question *question, char flag,
	 const struct memcached_word *token)
{
	size_t length = token->length;

	if (length > QUERY_NAME_MOST - 2)
		return;
	question->name[0] = flag;
	memcpy(question->name + 1, token->at, length);
	question->name[length + 1] = '\0';
}

/* The flags of a meta command that say how its answer is recognized. */
static void
take_flags(struct question *question, const struct memcached_words *words,
	   size_t first)
{
	for (size_t i = first; i < words->count; i++) {
		struct memcached_word word = words->at[i];
		unsigned char flag = word.at[0];

		word.at++;
		word.length--;
		if (flag == 'q')
			question->command = MEMCACHED_QUIET;
		else if (flag == 'O')
			set_name(question, 'O', &word);
		else if (flag == 'k' && question->name[0] == '\0')
			set_name(question, 'k', &words->at[1]);
	}
	question->sequence = words->at[0].at[1];
}

void
memcached_no_reply(struct memcached *memcached, struct question *question,
		   uint64_t when)
{
	const struct answer done = { .outcome = QUERY_DONE };

	strcpy(question->reply.text, QUERY_NO_REPLY);
	question_ends(&memcached->questions, question, &done, when);
	questions_remove(&memcached->questions, memcached->questions.count - 1);
}

/* A command has come, and its value if it has one. */
static int
ask(struct memcached *memcached, const unsigned char *line, size_t length,
    uint64_t began, uint64_t when)
{
	const struct command_form *form;
	struct question *question;
	struct memcached_words words;
	struct text *text;

	split(line, length, &words);
	if (words.count == 0)
		return 0;
	form = form_of(&words);
	text = text_new(line, length, memcached->whole);
	question = questions_add(&memcached->questions,
				 (unsigned char)form->kind, began, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	if (form->kind == MEMCACHED_META)
		take_flags(question, &words, form->value ? 3 : 2);
	memcached->over = form->kind == MEMCACHED_STREAM;
	question_begins(&memcached->questions, question, QUERY_TEXT);
	if (form->kind == MEMCACHED_NOTHING || form->kind == MEMCACHED_STREAM ||
	    (form->kind == MEMCACHED_LINE && words.count > 1 &&
	     memcached_is(&words.last, "noreply")))
		memcached_no_reply(memcached, question, when);
	return 0;
}

static int
take_line(struct memcached *memcached, const struct text_line *line,
	  uint64_t when)
{
	const struct command_form *form;
	struct memcached_words words;
	uint64_t number;

	memcached->whole = line->kept;
	if (line->length > LINES_KEEP)
		memcached->whole = line->length - 1;
	split(line->bytes, line->kept, &words);
	form = form_of(&words);
	if (form->value == 0)
		return ask(memcached, line->bytes, line->kept, line->began,
			   when);
	if (!lines_number(words.at[form->value].at,
			  words.at[form->value].at +
				  words.at[form->value].length,
			  &number) ||
	    number > VALUE_MOST)
		return ask(memcached, line->bytes, line->kept, line->began,
			   when);
	str_clear(&memcached->line);
	str_add_bytes(&memcached->line, (const char *)line->bytes, line->kept);
	memcached->began = line->began;
	lines_block(&memcached->client, number + 2, 0);
	return 0;
}

int
memcached_client_lines(struct memcached *memcached, struct piece piece)
{
	struct text_line line;
	int r = 0;

	while (!memcached->over && r == 0) {
		int answer = lines_next(&memcached->client, &piece, &line);

		if (answer <= 0)
			return answer;
		if (line.block)
			r = ask(memcached,
				(const unsigned char *)memcached->line.text,
				memcached->line.length, memcached->began,
				piece.when);
		else
			r = take_line(memcached, &line, piece.when);
	}
	return r;
}

/* ---- detection ------------------------------------------------------------
 */

static bool
is_number(const struct memcached_word *word)
{
	size_t i = word->length > 1 && word->at[0] == '-';

	for (; i < word->length; i++) {
		if (!isdigit(word->at[i]))
			return false;
	}
	return true;
}

/* A client's first bytes are a line with a command of the table, whose words
 * have the right form; or the beginning of a long line with many keys. */
bool
memcached_detect_line(const unsigned char *bytes, size_t have, uint64_t whole)
{
	const unsigned char *end = memchr(bytes, '\r', have);
	const struct command_form *form;
	struct memcached_words words;

	if (end && ((size_t)(end - bytes) + 1 >= have || end[1] != '\n'))
		return false;
	if (!end && have == whole)
		return false;
	if (!end)
		end = bytes + have;
	for (const unsigned char *c = bytes; c < end; c++) {
		if (*c < ' ' || *c == 0x7f)
			return false;
	}
	split(bytes, (size_t)(end - bytes), &words);
	form = form_of(&words);
	if (form == &unknown ||
	    (words.count > 1 && words.at[1].length > KEY_MOST))
		return false;
	for (size_t i = 2; form->value == 4 && i <= 4; i++) {
		if (!is_number(&words.at[i]))
			return false;
	}
	return true;
}
