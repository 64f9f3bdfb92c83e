/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server's side of PostgreSQL's protocol: each message is the answer, or a
 * part of the answer, to the first open question.
 *
 *	question            answer
 *	Parse Bind Close    '1' '2' '3'
 *	Describe            't'? then 'T' or 'n'
 *	Execute             'D'* then 'C', 'I' or 's'
 *	Query               ('T' 'D'* 'C' | 'C' | 'I')* then 'Z'
 *	Sync                'Z'
 *	FunctionCall        'V' then 'Z'
 *
 * 'E' (an error) may come at any time. Then a Query still ends with 'Z', and
 * all other questions up to the next Sync are skipped. An 'E' whose severity is
 * FATAL or PANIC is the last message of the server, so that it ends everything
 * that is open. Messages without a question (login) are ignored, and so are
 * notices and notifications.
 *
 * The answer to a query that was sent before we saw the connection may be that
 * of a Query, or of Parse to Sync; it ends with 'Z'.
 *
 * An Execute that is followed by a Sync ends with the Sync's 'Z', not with its
 * own 'C'. Between the two the server commits, which takes time and may fail.
 */
#include "protocols/postgres_parts.h"

#include <errno.h>
#include <string.h>

static struct question *
head(struct postgres *postgres)
{
	return question_at(&postgres->questions, 0);
}

static void
forget_answer(struct postgres *postgres)
{
	memset(&postgres->answer, 0, sizeof(postgres->answer));
	postgres->ended = false;
	postgres->copying = false;
}

/* The first question is answered completely: removes it. */
static void
done(struct postgres *postgres, uint64_t when)
{
	/* True for Parse, Bind and Describe, which are sent for the Execute
	 * behind them. */
	uint64_t bytes = head(postgres)->told ? 0 : head(postgres)->bytes;

	if (postgres->answer.outcome == QUERY_PENDING)
		postgres->answer.outcome = QUERY_DONE;
	question_ends(&postgres->questions, head(postgres), &postgres->answer,
		      when);
	questions_remove(&postgres->questions, 0);
	if (postgres->questions.count > 0)
		head(postgres)->bytes += bytes;
	forget_answer(postgres);
}

static bool
is_text(const unsigned char *at, size_t length, const char *text)
{
	return length == strlen(text) && !memcmp(at, text, length);
}

/*
 * Reads an ErrorResponse: fields of a letter and a string (55.8). 'C' is the
 * SQLSTATE. 'S' is the severity in the server's language; 'V', which follows it
 * since PostgreSQL 9.6, is the severity in English. True if the error ends the
 * connection.
 */
static bool
read_error(struct answer *answer, const struct packet *packet)
{
	const unsigned char *at = packet->body, *end = at + packet->kept;
	bool fatal = false;

	answer->outcome = QUERY_FAILED;
	answer->rows_known = false;
	while (at < end && *at) {
		unsigned char field = *at++;
		size_t left = (size_t)(end - at);
		const unsigned char *zero = memchr(at, '\0', left);
		size_t length = zero ? (size_t)(zero - at) : left;
		size_t most = field == 'C' ? sizeof(answer->state)
					   : sizeof(answer->message);
		char *to = field == 'C'	  ? answer->state
			   : field == 'M' ? answer->message
					  : NULL;

		if (field == 'S' || field == 'V')
			fatal = is_text(at, length, "FATAL") ||
				is_text(at, length, "PANIC");
		if (to) {
			size_t count = length < most ? length : most - 1;

			memcpy(to, at, count);
			to[count] = '\0';
		}
		at += zero ? length + 1 : length;
	}
	return fatal;
}

/* The first of `count` questions that has one of these commands. If none has,
 * the first question. */
static struct question *
first_of(struct postgres *postgres, size_t count, const char *commands)
{
	for (size_t i = 0; i < count; i++) {
		struct question *question =
			question_at(&postgres->questions, i);

		if (strchr(commands, question->command))
			return question;
	}
	return head(postgres);
}

/* Question `blamed` has failed. The first `until` questions end; those queries
 * were skipped. */
static void
blame(struct postgres *postgres, struct question *blamed, size_t until,
      uint64_t when)
{
	static const struct answer skipped = { .outcome = QUERY_SKIPPED };
	struct questions *questions = &postgres->questions;

	if (blamed->command == 'B') {
		postgres_take_values(postgres, blamed);
		question_begins(questions, blamed, QUERY_EXECUTE);
	}
	question_ends(questions, blamed, &postgres->answer, when);
	for (size_t i = 0; i < until; i++) {
		question_ends(questions, head(postgres), &skipped, when);
		questions_remove(questions, 0);
	}
	forget_answer(postgres);
}

/*
 * The server skips to the next Sync. The error belongs to the first Execute,
 * because the other messages were sent for it. If there is no Execute, it
 * belongs to the Parse, or to a Bind whose Execute will not come.
 */
static void
fail(struct postgres *postgres, uint64_t when)
{
	struct questions *questions = &postgres->questions;
	size_t until = 0;

	while (until < questions->count &&
	       question_at(questions, until)->command != 'S')
		until++;
	blame(postgres, first_of(postgres, until, "E"), until, when);
	postgres->skipping = questions->count == 0;
}

/* No question will be answered any more. If the first question is the Sync of
 * finished queries, the error belongs to the first query after it. */
static void
fail_all(struct postgres *postgres, uint64_t when)
{
	size_t count = postgres->questions.count;

	blame(postgres, first_of(postgres, count, "QE"), count, when);
}

/* The number of rows is at the end of CommandComplete's tag. */
static void
count_rows(struct answer *answer, const struct packet *packet)
{
	size_t end = packet->kept, at;
	uint64_t rows = 0;

	while (end > 0 && packet->body[end - 1] == '\0')
		end--;
	at = end;
	while (at > 0 && end - at < 19 && packet->body[at - 1] >= '0' &&
	       packet->body[at - 1] <= '9')
		at--;
	for (size_t i = at; i < end; i++)
		rows = rows * 10 + (packet->body[i] - '0');
	if (at == end)
		return;
	answer->rows_known = true;
	answer->rows += rows;
}

/* Ends one statement: the answer was 'C', 'I' or 's'. */
static int
statement_ends(struct postgres *postgres, const struct packet *packet,
	       uint64_t when)
{
	struct questions *questions = &postgres->questions;

	if (packet->header[0] == 'C')
		count_rows(&postgres->answer, packet);
	postgres->copying = false;
	if (head(postgres)->command == 'Q')
		return 0;
	if (head(postgres)->command != 'E' || postgres->ended)
		return -EPROTO;
	if (questions->count > 1 && question_at(questions, 1)->command == 'S')
		postgres->ended = true;
	else
		done(postgres, when);
	return 0;
}

/* Reads the body of ReadyForQuery: 'I', 'T' or 'E' for the state of the
 * transaction. */
static enum query_transaction
transaction_of(const struct packet *packet)
{
	switch (packet->kept > 0 ? packet->body[0] : 0) {
	case 'I':
		return QUERY_TRANSACTION_NONE;
	case 'T':
		return QUERY_TRANSACTION_OPEN;
	case 'E':
		return QUERY_TRANSACTION_FAILED;
	default:
		return QUERY_TRANSACTION_UNKNOWN;
	}
}

/* ReadyForQuery: ends all questions up to the first that it can answer. */
static int
ready(struct postgres *postgres, const struct packet *packet, uint64_t when)
{
	struct questions *questions = &postgres->questions;
	const struct answer lost = {
		.outcome = postgres->skipping ? QUERY_SKIPPED : QUERY_LOST,
	};

	postgres->skipping = false;
	postgres->answer.transaction = transaction_of(packet);
	if (postgres->ended)
		done(postgres, when);
	while (questions->count > 0 &&
	       !strchr("QSF", head(postgres)->command)) {
		question_ends(questions, head(postgres), &lost, when);
		questions_remove(questions, 0);
	}
	if (questions->count > 0)
		done(postgres, when);
	forget_answer(postgres);
	return 0;
}

/* '1', '2', '3': each answers only questions with this command. */
static int
meets(struct postgres *postgres, unsigned char command, uint64_t when)
{
	if (head(postgres)->unseen)
		return 0;
	if (head(postgres)->command != command)
		return -EPROTO;
	done(postgres, when);
	return 0;
}

static int
take_error(struct postgres *postgres, const struct packet *packet,
	   uint64_t when)
{
	bool fatal = read_error(&postgres->answer, packet);

	postgres->answer.failed = when;
	if (fatal)
		fail_all(postgres, when);
	else if (!strchr("QSF", head(postgres)->command))
		fail(postgres, when);
	return 0;
}

/* The server asks for the client's rows. It will ignore the Sync that was sent
 * with the Execute; another Sync follows the rows. */
static void
copy_begins(struct postgres *postgres)
{
	struct questions *questions = &postgres->questions;

	postgres->copying = true;
	if (head(postgres)->command == 'E' && questions->count > 1 &&
	    question_at(questions, 1)->command == 'S') {
		questions_remove(questions, 1);
		postgres->copying = false;
	}
}

/* The server has logged the client in, or not. */
static void
take_login(struct postgres *postgres, const struct packet *packet,
	   uint64_t when)
{
	struct query_listener *listener = postgres->questions.listener;
	struct login *login = &postgres->login;
	struct answer answer = { 0 };
	const char *name;

	if (packet->header[0] != 'Z' && packet->header[0] != 'E')
		return;
	postgres->logging_in = false;
	login->failed = packet->header[0] == 'E';
	if (login->failed)
		(void)read_error(&answer, packet);
	memcpy(login->state, answer.state, sizeof(login->state));
	memcpy(login->message, answer.message, sizeof(login->message));
	login->ended = when;
	/* The server takes the name of the user if the client names no
	 * database (55.7, StartupMessage). */
	name = login->database[0] ? login->database : login->user;
	questions_use(&postgres->questions, name, strlen(name));
	if (listener->login)
		listener->login(listener, login);
}

static int
take_message(struct postgres *postgres, const struct packet *packet,
	     uint64_t when)
{
	unsigned char letter = packet->header[0];

	if (postgres->logging_in && postgres->questions.count == 0)
		take_login(postgres, packet, when);

	if (postgres->questions.count == 0 || strchr("NASKRv", letter))
		return 0;
	if (head(postgres)->answered == 0)
		head(postgres)->answered = when;
	head(postgres)->bytes +=
		postgres_server_framing.header + packet->length;
	switch (letter) {
	case '1':
		return meets(postgres, 'P', when);
	case '2':
		return meets(postgres, 'B', when);
	case '3':
		return meets(postgres, 'C', when);
	case 't':
		if (head(postgres)->command == 'D' && head(postgres)->types)
			postgres_keep_types(postgres, head(postgres)->types,
					    packet->body,
					    packet->body + packet->kept);
		return 0;
	case 'T':
	case 'n':
		if (head(postgres)->command == 'D')
			done(postgres, when);
		return 0;
	case 'C':
	case 'I':
	case 's':
		return statement_ends(postgres, packet, when);
	case 'G':
		copy_begins(postgres);
		return 0;
	case 'E':
		return take_error(postgres, packet, when);
	case 'Z':
		return ready(postgres, packet, when);
	default:
		return 0;
	}
}

/* One byte: 'S' or 'G' for yes, 'N' for no, or the start of an old server's
 * error. */
static void
take_encryption(struct postgres *postgres, struct piece *piece)
{
	struct query_listener *listener = postgres->questions.listener;

	postgres->asked_encryption = false;
	if (piece->at[0] == 'S' || piece->at[0] == 'G') {
		postgres->over = true;
		listener->notice(listener, QUERY_NOTICE_ENCRYPTED);
	} else if (piece->at[0] == 'N') {
		piece->at++;
		piece->left--;
	}
}

int
postgres_server(struct postgres *postgres, struct piece piece)
{
	struct packet packet;
	int answer = 1;

	if (postgres->asked_encryption && piece.left > 0)
		take_encryption(postgres, &piece);
	while (!postgres->over && answer > 0) {
		answer = stream_next(&postgres->server, &piece, &packet);
		if (answer > 0 &&
		    take_message(postgres, &packet, piece.when) < 0)
			return -EPROTO;
	}
	return answer < 0 ? answer : 0;
}
