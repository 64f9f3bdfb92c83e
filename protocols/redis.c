/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client's side of RESP. A command is an array of strings, each with its
 * length before it, or a line ("inline"):
 *
 *	*2 CRLF $3 CRLF GET CRLF $1 CRLF a CRLF
 *	GET a CRLF
 *
 * The text of a command that may carry a password (ACL, AUTH, CONFIG SET,
 * HELLO, MIGRATE, SENTINEL SET) ends before the word that may be one, with "?".
 * These commands are recognized by their first letters, which no other command
 * has. So the password is hidden even if the rest of the name is misspelled.
 */
#include "protocols/redis.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>

enum {
	WORDS_MOST = 1 << 20, /* of a command; the server's bound is 2^31 */
	WORD_KEEP = 1024,     /* bytes of a word that are kept */
	TEXT_KEEP = 16 << 10, /* bytes of a text that are kept */
	/* Commands of a pipeline whose replies have not come. */
	PIPELINE_MOST = 1 << 16,
};

#define WORD_BYTES_MOST (UINT64_C(1) << 32)

void
redis_init(struct redis *redis, struct query_listener *listener)
{
	memset(redis, 0, sizeof(*redis));
	questions_init(&redis->questions, listener);
	redis->questions.most = PIPELINE_MOST;
	lines_init(&redis->client);
	lines_init(&redis->server);
	str_init(&redis->command.text);
}

void
redis_release(struct redis *redis)
{
	questions_release(&redis->questions);
	lines_release(&redis->client);
	lines_release(&redis->server);
	str_release(&redis->command.text);
}

/* ---- the text of a command ------------------------------------------------
 */

static bool
begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* How many words are shown of a command that may carry a password. */
static uint64_t
words_shown(const struct redis_command *command)
{
	const char *name = command->name;

	if (begins(name, "AU") || begins(name, "MI"))
		return 1;
	if (begins(name, "AC"))
		return 2;
	if (begins(name, "HE"))
		return isdigit((unsigned char)command->second[0]) ? 2 : 1;
	if (begins(name, "CON") || begins(name, "SENT"))
		return command->count > 1 && !strcmp(command->second, "GET")
			       ? UINT64_MAX
			       : 2;
	return UINT64_MAX;
}

static bool
is_bare(const unsigned char *bytes, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (bytes[i] <= ' ' || bytes[i] == '\'' || bytes[i] == '"')
			return false;
	}
	return length > 0;
}

static void
add_word(struct redis_command *command, const unsigned char *bytes, size_t kept,
	 uint64_t length)
{
	struct str *text = &command->text;
	bool bare = is_bare(bytes, kept);
	size_t before = text->length;

	if (text->length >= TEXT_KEEP) {
		command->whole += length + 1;
		return;
	}
	if (command->count > 0)
		str_add_char(text, ' ');
	if (!bare)
		str_add_char(text, '\'');
	str_add_bytes(text, (const char *)bytes, kept);
	if (kept < length)
		str_add(text, "...");
	if (!bare)
		str_add_char(text, '\'');
	command->whole += text->length - before;
}

static void
set_upper(char *to, const unsigned char *bytes, uint64_t length)
{
	if (length >= REDIS_WORD_MOST)
		length = REDIS_WORD_MOST - 1;
	for (size_t i = 0; i < length; i++)
		to[i] = (char)toupper(bytes[i]);
	to[length] = '\0';
}

static void
take_word(struct redis_command *command, const unsigned char *bytes,
	  size_t kept, uint64_t length)
{
	uint64_t shown;

	if (command->count == 0)
		set_upper(command->name, bytes, length);
	else if (command->count == 1)
		set_upper(command->second, bytes, length);
	else if (command->count == 2)
		set_upper(command->third, bytes, length);
	shown = words_shown(command);
	if (command->count < shown)
		add_word(command, bytes, kept, length);
	else if (command->count == shown)
		add_word(command, (const unsigned char *)"?", 1, 1);
	command->count++;
}

/* ---- what a command asks --------------------------------------------------
 */

static bool
is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++) {
		if (!strcmp(name, *names))
			return true;
	}
	return false;
}

static bool
is_subscription(const char *name)
{
	static const char *const names[] = {
		"SUBSCRIBE",	"PSUBSCRIBE",	"SSUBSCRIBE", "UNSUBSCRIBE",
		"PUNSUBSCRIBE", "SUNSUBSCRIBE", NULL
	};

	return is_one_of(name, names);
}

static bool
is_client_reply(const struct redis_command *command)
{
	return !strcmp(command->name, "CLIENT") &&
	       !strcmp(command->second, "REPLY");
}

/* Will the command have no reply? */
static bool
is_unanswered(struct redis *redis)
{
	const struct redis_command *command = &redis->command;

	if (is_client_reply(command)) {
		redis->silent = !strcmp(command->third, "OFF");
		redis->skip = !strcmp(command->third, "SKIP") ? 2 : 0;
	}
	if (redis->skip > 0) {
		redis->skip--;
		return true;
	}
	return redis->silent;
}

static void
note_state(struct redis *redis)
{
	static const char *const streams[] = { "SYNC", "PSYNC", NULL };
	const char *name = redis->command.name;

	redis->subscribed |= is_subscription(name);
	redis->monitors |= !strcmp(name, "MONITOR");
	redis->over |= is_one_of(name, streams);
}

/* All words of a command have come. */
static int
ask(struct redis *redis, uint64_t when)
{
	struct redis_command *command = &redis->command;
	const struct answer done = { .outcome = QUERY_DONE };
	struct question *question;
	struct text *text;

	if (command->count == 0)
		return 0;
	note_state(redis);
	text = text_new(command->text.text, command->text.length,
			command->whole);
	question = questions_add(&redis->questions, 0, command->began, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	question->answers = 1;
	if (is_subscription(command->name)) {
		question->command = 'S';
		if (command->count > 2)
			question->answers = (unsigned)command->count - 1;
	}
	question_begins(&redis->questions, question, QUERY_TEXT);
	if (!is_unanswered(redis))
		return 0;
	strcpy(question->reply.text, QUERY_NO_REPLY);
	question_ends(&redis->questions, question, &done, when);
	questions_remove(&redis->questions, redis->questions.count - 1);
	return 0;
}

static void
begin(struct redis_command *command, uint64_t began)
{
	struct str text = command->text;

	str_clear(&text);
	*command = (struct redis_command){ .began = began, .text = text };
}

/* ---- lines ----------------------------------------------------------------
 */

/* Does the quoted text have an escape here? In single quotes, a backslash is
 * itself unless a single quote follows (sdssplitargs() of Redis 7.0). */
static bool
is_escape(const unsigned char *at, const unsigned char *end,
	  unsigned char quote)
{
	return *at == '\\' && at + 1 < end && (quote == '"' || at[1] == '\'');
}

/* A command in one line. Text in quotes is one word. The server replaces the
 * escapes in it; here they are left as they are, because the text is only
 * shown. */
static int
take_inline(struct redis *redis, const struct text_line *line, uint64_t when)
{
	const unsigned char *at = line->bytes, *end = at + line->kept;

	begin(&redis->command, line->began);
	for (;;) {
		const unsigned char *start;
		unsigned char quote = 0;

		while (at < end && isspace(*at))
			at++;
		if (at == end)
			break;
		if (*at == '"' || *at == '\'')
			quote = *at++;
		for (start = at; at < end; at++) {
			if (quote ? *at == quote : isspace(*at) != 0)
				break;
			if (quote && is_escape(at, end, quote))
				at++;
		}
		take_word(&redis->command, start, (size_t)(at - start),
			  (uint64_t)(at - start));
		if (quote && at < end)
			at++;
	}
	return ask(redis, when);
}

static int
take_line(struct redis *redis, const struct text_line *line, uint64_t when)
{
	struct redis_command *command = &redis->command;
	const unsigned char *end = line->bytes + line->kept;
	uint64_t number;

	if (command->left > 0) {
		if (line->kept < 2 || line->bytes[0] != '$' ||
		    !lines_number(line->bytes + 1, end, &number) ||
		    number > WORD_BYTES_MOST)
			return -EPROTO;
		lines_block(&redis->client, number + 2, WORD_KEEP + 2);
		return 0;
	}
	if (line->kept == 0)
		return 0;
	if (line->bytes[0] != '*')
		return take_inline(redis, line, when);
	/* An array without elements is no command. */
	if (line->kept > 1 && line->bytes[1] == '-')
		return 0;
	if (!lines_number(line->bytes + 1, end, &number) || number > WORDS_MOST)
		return -EPROTO;
	begin(command, line->began);
	command->left = number;
	return 0;
}

static int
take_block(struct redis *redis, const struct text_line *line, uint64_t when)
{
	uint64_t length = line->length - 2;
	size_t kept = line->kept < length ? line->kept : (size_t)length;

	take_word(&redis->command, line->bytes,
		  kept < WORD_KEEP ? kept : WORD_KEEP, length);
	return --redis->command.left == 0 ? ask(redis, when) : 0;
}

int
redis_client(struct redis *redis, struct piece piece)
{
	struct text_line line;
	int r = 0;

	while (!redis->over && r == 0) {
		int answer = lines_next(&redis->client, &piece, &line);

		if (answer <= 0)
			return answer;
		r = line.block ? take_block(redis, &line, piece.when)
			       : take_line(redis, &line, piece.when);
	}
	return r;
}

/* ---- detection ------------------------------------------------------------
 */

/* A client speaks RESP if its first bytes are an array of strings whose first
 * word is one of letters. Inline commands alone do not show that it is Redis.
 */
bool
redis_detect_client(const unsigned char *bytes, size_t have, uint64_t whole)
{
	const unsigned char *end = bytes + have, *at = bytes, *line;
	uint64_t number;

	(void)whole;
	for (size_t i = 0; i < 2; i++) {
		line = memchr(at, '\r', (size_t)(end - at));
		if (!line || line + 1 >= end || line[1] != '\n' ||
		    *at != (i == 0 ? '*' : '$') ||
		    !lines_number(at + 1, line, &number) || number == 0)
			return false;
		at = line + 2;
	}
	if (number > REDIS_WORD_MOST || (size_t)(end - at) < number)
		return false;
	for (; number > 0; number--, at++) {
		if (!isalpha(*at) && *at != '.' && *at != '_' && *at != '-')
			return false;
	}
	return true;
}
