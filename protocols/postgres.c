/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client's side of PostgreSQL's protocol.
 *
 * A message is a letter, a length of four bytes (which counts itself), and the
 * body; the first message of a connection has no letter. Each message that has
 * an answer becomes a question in the queue, so that the answers of a pipeline
 * are matched with the right questions: Query, Parse, Bind, Describe, Execute,
 * Close, Sync, FunctionCall.
 *
 * Parse keeps a statement's text under its name, Bind copies it to the portal,
 * and Execute finds it there. The time of an Execute begins with the first
 * unanswered message that prepared it.
 *
 * The types of a statement's parameters are kept under its name, too. In Parse
 * are the types that the client chooses, and in the answer to Describe are all.
 * A type is known to a Bind that is sent after that answer.
 */
#include "protocols/postgres_parts.h"

#include <errno.h>
#include <string.h>

enum { START_MOST = 10000 }; /* MAX_STARTUP_PACKET_LENGTH */

/* The part of an answer that is read. An error's fields are the longest. */
enum { SERVER_KEEP = 2048 };

static bool
message_body(const unsigned char *header, uint64_t *ret_length)
{
	uint32_t length = postgres_u32(header + 1);

	*ret_length = (uint64_t)length - 4;
	return length >= 4 && length <= POSTGRES_MESSAGE_MOST;
}

/* A client's message begins with one of these letters. */
static bool
client_body(const unsigned char *header, uint64_t *ret_length)
{
	return header[0] && strchr("BCDEFHPQSXcdfp", header[0]) &&
	       message_body(header, ret_length);
}

static bool
server_body(const unsigned char *header, uint64_t *ret_length)
{
	return header[0] && strchr("123ACDEGHIKNRSTVWZcdnstv", header[0]) &&
	       message_body(header, ret_length);
}

static bool
start_body(const unsigned char *header, uint64_t *ret_length)
{
	uint32_t length = postgres_u32(header);

	*ret_length = (uint64_t)length - 4;
	return length >= 8 && length <= START_MOST;
}

static const struct framing client_framing = { 5, client_body };
static const struct framing start_framing = { 4, start_body };
const struct framing postgres_server_framing = { 5, server_body };

void
postgres_init(struct postgres *postgres, struct query_listener *listener,
	      bool starting)
{
	memset(postgres, 0, sizeof(*postgres));
	questions_init(&postgres->questions, listener);
	texts_init(&postgres->texts);
	postgres->starting = starting;
	stream_init(&postgres->client,
		    starting ? &start_framing : &client_framing,
		    QUERY_TEXT_MOST);
	stream_init(&postgres->server, &postgres_server_framing, SERVER_KEEP);
}

void
postgres_release(struct postgres *postgres)
{
	if (postgres->questions.count > 0 &&
	    postgres->answer.outcome == QUERY_FAILED) {
		question_ends(&postgres->questions,
			      question_at(&postgres->questions, 0),
			      &postgres->answer, postgres->answer.failed);
	}
	questions_release(&postgres->questions);
	texts_release(&postgres->texts);
	bound_free(postgres->values);
	postgres->values = NULL;
	stream_release(&postgres->client);
	stream_release(&postgres->server);
}

/* Finds a string in a message: its length, and the position after its zero
 * byte. */
static const unsigned char *
string_at(const unsigned char *at, const unsigned char *end, size_t *ret_length)
{
	const unsigned char *zero = memchr(at, '\0', (size_t)(end - at));

	*ret_length = (size_t)((zero ? zero : end) - at);
	return zero ? zero + 1 : end;
}

static void
set_name(char *to, const unsigned char *name, size_t length)
{
	if (length > QUERY_NAME_MOST - 1)
		length = QUERY_NAME_MOST - 1;
	memcpy(to, name, length);
	to[length] = '\0';
}

static struct question *
ask(struct postgres *postgres, const struct packet *packet, struct text *text)
{
	return questions_add(&postgres->questions, packet->header[0],
			     packet->began, text);
}

static int
take_query(struct postgres *postgres, const struct packet *packet)
{
	struct question *question;
	struct text *text;
	size_t length;
	uint64_t whole = packet->length ? packet->length - 1 : 0;

	string_at(packet->body, packet->body + packet->kept, &length);
	/* A zero byte is not allowed in the text; it ends the text. */
	if (packet->kept == packet->length)
		whole = length;
	text = text_new(packet->body, length, whole);
	question = ask(postgres, packet, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	question_begins(&postgres->questions, question, QUERY_TEXT);
	return 0;
}

/* The key of the types of the statement's parameters. */
static uint64_t
types_key(const unsigned char *name, size_t length)
{
	return texts_key('O', name, length);
}

static int
take_parse(struct postgres *postgres, const struct packet *packet)
{
	const unsigned char *end = packet->body + packet->kept, *at;
	struct question *question;
	struct text *text;
	size_t name, length;
	uint64_t whole;

	at = string_at(packet->body, end, &name);
	string_at(at, end, &length);
	whole = length;
	if (packet->kept < packet->length && at + length == end)
		whole = packet->length - (uint64_t)(at - packet->body);
	text = text_new(at, length, whole);
	texts_put(&postgres->texts, texts_key('S', packet->body, name), text);
	if (postgres->questions.listener->wants_values)
		postgres_keep_types(postgres, types_key(packet->body, name),
				    at + length < end ? at + length + 1 : end,
				    end);
	question = ask(postgres, packet, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	set_name(question->name, packet->body, name);
	question_begins(&postgres->questions, question, QUERY_PREPARE);
	return 0;
}

static bool
take_u16(const unsigned char **at, const unsigned char *end,
	 unsigned *ret_number)
{
	if (end - *at < 2)
		return false;
	*ret_number = (unsigned)(*at)[0] << 8 | (*at)[1];
	*at += 2;
	return true;
}

void
postgres_keep_types(struct postgres *postgres, uint64_t key,
		    const unsigned char *at, const unsigned char *end)
{
	struct text *types;
	unsigned count;

	if (!take_u16(&at, end, &count) || count == 0 ||
	    end - at < 4 * (long)count) {
		texts_forget(&postgres->texts, key);
		return;
	}
	types = text_new(at, 4 * (size_t)count, 4 * (uint64_t)count);
	texts_put(&postgres->texts, key, types);
	text_unref(types);
}

/* What a Bind and its statement say of the values. */
struct value_forms {
	const unsigned char *formats;
	unsigned count;		  /* of the formats */
	const struct text *types; /* or NULL */
};

/* The type of the value if it is in the binary format and the type is known;
 * else 0. There may be one format for each value, one for all, or none. */
static uint32_t
binary_type(const struct value_forms *forms, unsigned i)
{
	unsigned format = forms->count == 1 ? 0 : i;
	const unsigned char *types;

	if (format >= forms->count || !forms->formats[2 * format + 1] ||
	    !forms->types || 4 * ((size_t)i + 1) > forms->types->length)
		return 0;
	types = (const unsigned char *)forms->types->bytes;
	return postgres_u32(types + 4 * (size_t)i);
}

/* The rest of a Bind, after the names: formats, then values. */
static struct bound *
bound_values(const unsigned char *at, const unsigned char *end,
	     const struct text *types)
{
	struct value_forms forms = { .types = types };
	struct bound *bound;
	unsigned count;

	if (!take_u16(&at, end, &forms.count) ||
	    end - at < 2 * (long)forms.count)
		return NULL;
	forms.formats = at;
	at += 2 * (size_t)forms.count;
	if (!take_u16(&at, end, &count) || count == 0)
		return NULL;
	bound = bound_new();
	for (unsigned i = 0; i < count; i++) {
		uint32_t length;
		size_t left;

		if (end - at < 4) {
			bound->cut = true;
			break;
		}
		length = postgres_u32(at);
		left = (size_t)(end - at) - 4;

		at += 4;
		if (length == UINT32_MAX) {
			bound_add(bound, QUERY_VALUE_NULL, NULL, 0);
			continue;
		}
		if (length > left)
			bound->cut = true;
		else
			left = length;
		bound_add_typed(bound, binary_type(&forms, i), at, left);
		at += left;
	}
	return bound;
}

static int
take_bind(struct postgres *postgres, const struct packet *packet)
{
	const unsigned char *end = packet->body + packet->kept, *at, *values;
	struct question *question;
	struct text *text;
	size_t portal, name;

	at = string_at(packet->body, end, &portal);
	values = string_at(at, end, &name);
	bound_free(postgres->values);
	postgres->values = NULL;
	postgres->portal = texts_key('P', packet->body, portal);
	if (postgres->questions.listener->wants_values)
		postgres->values = bound_values(values, end,
						texts_get(&postgres->texts,
							  types_key(at, name)));
	set_name(postgres->bound, at, name);
	text = questions_statement(&postgres->questions, &postgres->texts,
				   texts_key('S', at, name), postgres->bound);
	/* Keep a reference, because texts_put() may drop the least recently
	 * used text. */
	text_ref(text);
	texts_put(&postgres->texts, postgres->portal, text);
	question = ask(postgres, packet, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	memcpy(question->name, postgres->bound, sizeof(question->name));
	return 0;
}

/* The time of the first message that led to the last question. */
static uint64_t
way_began(struct postgres *postgres)
{
	struct questions *questions = &postgres->questions;
	size_t i = questions->count - 1;

	while (i > 0 && strchr("PBD", question_at(questions, i - 1)->command))
		i--;
	return question_at(questions, i)->began;
}

void
postgres_take_values(struct postgres *postgres, struct question *question)
{
	bound_free(question->bound);
	question->bound = postgres->values;
	postgres->values = NULL;
}

static int
take_execute(struct postgres *postgres, const struct packet *packet)
{
	struct question *question;
	size_t portal;
	struct text *text;
	uint64_t key;

	string_at(packet->body, packet->body + packet->kept, &portal);
	key = texts_key('P', packet->body, portal);
	text = texts_get(&postgres->texts, key);
	question = ask(postgres, packet, text);
	if (!question)
		return -EPROTO;
	question->began = way_began(postgres);
	if (key == postgres->portal)
		postgres_take_values(postgres, question);
	if (portal == 0)
		memcpy(question->name, postgres->bound, QUERY_NAME_MOST);
	else
		set_name(question->name, packet->body, portal);
	question_begins(&postgres->questions, question, QUERY_EXECUTE);
	return 0;
}

static int
take_close(struct postgres *postgres, const struct packet *packet)
{
	size_t name;

	if (packet->kept > 1) {
		string_at(packet->body + 1, packet->body + packet->kept, &name);
		texts_forget(&postgres->texts,
			     texts_key((char)packet->body[0], packet->body + 1,
				       name));
		if (packet->body[0] == 'S')
			texts_forget(&postgres->texts,
				     types_key(packet->body + 1, name));
	}
	return ask(postgres, packet, NULL) ? 0 : -EPROTO;
}

/* The body of a Describe is 'S' and a statement's name, or 'P' and a
 * portal's. */
static int
take_describe(struct postgres *postgres, const struct packet *packet)
{
	struct question *question = ask(postgres, packet, NULL);
	size_t name;

	if (!question)
		return -EPROTO;
	if (postgres->questions.listener->wants_values && packet->kept > 1 &&
	    packet->body[0] == 'S') {
		string_at(packet->body + 1, packet->body + packet->kept, &name);
		question->types = types_key(packet->body + 1, name);
	}
	return 0;
}

static int
take_message(struct postgres *postgres, const struct packet *packet)
{
	switch (packet->header[0]) {
	case 'Q':
		return take_query(postgres, packet);
	case 'P':
		return take_parse(postgres, packet);
	case 'B':
		return take_bind(postgres, packet);
	case 'E':
		return take_execute(postgres, packet);
	case 'C':
		return take_close(postgres, packet);
	case 'S':
		/* "Flush and Sync are ignored in copy-in mode" (55.2.6). */
		if (postgres->copying)
			return 0;
		return ask(postgres, packet, NULL) ? 0 : -EPROTO;
	case 'D':
		return take_describe(postgres, packet);
	case 'F':
		return ask(postgres, packet, NULL) ? 0 : -EPROTO;
	case 'c':
	case 'f':
		postgres->copying = false;
		return 0;
	default:
		return 0;
	}
}

/* StartupMessage: behind the version pairs of strings, then an empty one. */
static void
begin_login(struct postgres *postgres, const struct packet *packet)
{
	const unsigned char *end = packet->body + packet->kept;
	const unsigned char *at = packet->body + 4, *name, *value;
	size_t name_length, length;

	memset(&postgres->login, 0, sizeof(postgres->login));
	postgres->logging_in = true;
	while (at < end && *at) {
		name = at;
		value = string_at(at, end, &name_length);
		at = string_at(value, end, &length);
		if (name_length == 4 && !memcmp(name, "user", 4))
			set_name(postgres->login.user, value, length);
		if (name_length == 8 && !memcmp(name, "database", 8))
			set_name(postgres->login.database, value, length);
	}
}

static void
take_start(struct postgres *postgres, const struct packet *packet)
{
	switch (postgres_u32(packet->body)) {
	case POSTGRES_SSL:
	case POSTGRES_GSS:
		postgres->asked_encryption = true;
		return;
	case POSTGRES_CANCEL:
		postgres->over = true;
		return;
	}
	begin_login(postgres, packet);
	postgres->starting = false;
	stream_release(&postgres->client);
	stream_init(&postgres->client, &client_framing, QUERY_TEXT_MOST);
}

void
postgres_asked(struct postgres *postgres, struct text *text, uint64_t when)
{
	questions_unseen(&postgres->questions, 'Q', when, text);
}

int
postgres_client(struct postgres *postgres, struct piece piece)
{
	struct packet packet;
	int answer = 1;

	while (!postgres->over && answer > 0) {
		answer = stream_next(&postgres->client, &piece, &packet);
		if (answer <= 0)
			break;
		if (postgres->starting) {
			take_start(postgres, &packet);
		} else if (take_message(postgres, &packet) < 0) {
			return -EPROTO;
		}
	}
	return answer < 0 ? answer : 0;
}
