/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server's side of the MySQL protocol: finds the end of the answer to the
 * first open question.
 *
 *	            0 columns: OK                     more results
 *	   FIRST ------------------> done   <-----------------------+
 *	     |  file requested: FILE -> OK, error                   |
 *	     | n columns                                            |
 *	  COLUMNS -> AFTER_COLUMNS -> ROWS -> EOF or OK in its place
 *
 * Client and server agree during the login whether EOF packets are used
 * (CLIENT_DEPRECATE_EOF), and we may not have seen the login. But the packets
 * differ: an EOF has five bytes, an OK in its place has at least seven, and a
 * row that begins with 0xfe has at least nine. So we distinguish them packet by
 * packet.
 *
 * The sequence number of each packet is one more than the last. If it is not,
 * we have missed bytes. An error with the number 0 is an exception: a server
 * that closes an idle connection sends it without a question (MySQL WL#12999,
 * bug 103412). It is then the answer to what the client has asked since.
 * Packets without a question (greeting, login, definitions of parameters after
 * a prepare is answered) are ignored.
 */
#include "protocols/mysql_bound.h"
#include "protocols/mysql_database.h"
#include "protocols/mysql_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { OK = 0x00, FILE_WANTED = 0xfb, END = 0xfe, ERROR = 0xff };

/* The server's status ("SERVER_STATUS_flags_enum"). */
enum {
	STATUS_IN_TRANSACTION = 0x01,
	STATUS_MORE_RESULTS = 0x08,
	STATUS_CURSOR = 0x40
};

/* MariaDB: an error packet with this code reports progress. */
enum { PROGRESS = 0xffff };

enum { COLUMNS_MOST = 1 << 16 };

/* Reads a length-encoded integer. Returns how many bytes it has, 0 if it is
 * none. */
static size_t
lenenc(const unsigned char *bytes, size_t count, uint64_t *ret_value)
{
	size_t size;
	uint64_t value = 0;

	if (count == 0 || bytes[0] == FILE_WANTED || bytes[0] == ERROR)
		return 0;
	if (bytes[0] < FILE_WANTED) {
		*ret_value = bytes[0];
		return 1;
	}
	size = bytes[0] == 0xfc ? 2 : bytes[0] == 0xfd ? 3 : 8;
	if (count < 1 + size)
		return 0;
	for (size_t i = size; i > 0; i--)
		value = value << 8 | bytes[i];
	*ret_value = value;
	return 1 + size;
}

/* Notes the database that the connection uses after the question. */
static void
choose_database(struct mysql *mysql, const struct question *question,
		bool success)
{
	const struct text *text = question->text;
	const char *name = "";
	size_t length = 0;
	enum mysql_database after = MYSQL_DATABASE_KEPT;

	if (question->command == MYSQL_INIT_DB ||
	    question->command == MYSQL_CHANGE_USER) {
		if (success)
			after = text ? MYSQL_DATABASE_NAMED
				     : MYSQL_DATABASE_UNKNOWN;
		name = text ? text->bytes : "";
		length = text ? text->length : 0;
	} else if (mysql_shape(question->command) == MYSQL_SHAPE_RESULT) {
		after = !text ? MYSQL_DATABASE_UNKNOWN
			      : mysql_database_after(text->bytes, text->length,
						     text->length ==
							     text->whole,
						     success, &name, &length);
	}
	if (after != MYSQL_DATABASE_KEPT)
		questions_use(&mysql->questions, name, length);
}

static void
done(struct mysql *mysql, enum query_outcome outcome, uint64_t when)
{
	struct question *question = question_at(&mysql->questions, 0);

	mysql->answer.outcome = outcome;
	mysql->state = MYSQL_ANSWER_NONE;
	question_ends(&mysql->questions, question, &mysql->answer, when);
	choose_database(mysql, question, outcome == QUERY_DONE);
	questions_remove(&mysql->questions, 0);
	memset(&mysql->answer, 0, sizeof(mysql->answer));
}

/* Reads an ERR_Packet: code, '#' and the SQLSTATE, message. A report of
 * progress has only a code. False if it is none. */
static bool
read_error(struct answer *answer, const struct packet *packet)
{
	size_t at = 3, count;

	if (packet->kept < 3 || packet->body[0] != ERROR)
		return false;
	answer->code = mysql_u16(packet->body + 1);
	if (answer->code == PROGRESS)
		return true;
	if (packet->kept >= 9 && packet->body[3] == '#') {
		memcpy(answer->state, packet->body + 4, 5);
		at = 9;
	}
	count = packet->kept - at;
	if (count > sizeof(answer->message) - 1)
		count = sizeof(answer->message) - 1;
	memcpy(answer->message, packet->body + at, count);
	answer->message[count] = '\0';
	answer->rows_known = false;
	return true;
}

static bool
failed(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	if (!read_error(&mysql->answer, packet))
		return false;
	if (mysql->answer.code != PROGRESS)
		done(mysql, QUERY_FAILED, when);
	return true;
}

/* The server's answer to a login: OK, an error, or a step of the proof of the
 * password. */
static void
take_login(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	struct query_listener *listener = mysql->questions.listener;
	struct login *login = &mysql->login;
	struct answer answer = { 0 };

	if (!mysql->logging_in || packet->kept == 0)
		return;
	login->failed = read_error(&answer, packet);
	if (!login->failed && packet->body[0] != OK)
		return;
	mysql->logging_in = false;
	login->code = answer.code;
	memcpy(login->state, answer.state, sizeof(login->state));
	memcpy(login->message, answer.message, sizeof(login->message));
	login->ended = when;
	if (!login->failed)
		questions_use(&mysql->questions, login->database,
			      strlen(login->database));
	if (listener->login)
		listener->login(listener, login);
}

/* Reads an OK_Packet or an EOF_Packet: the status, and the number of changed
 * rows. */
static unsigned
status_of(const struct packet *packet, uint64_t *ret_rows)
{
	const unsigned char *bytes = packet->body + 1;
	size_t count = packet->kept - 1, size;
	uint64_t ignored;

	*ret_rows = 0;
	if (packet->body[0] == END && packet->length == 5)
		return mysql_u16(bytes + 2);
	size = lenenc(bytes, count, ret_rows);
	bytes += size;
	count -= size;
	size = lenenc(bytes, count, &ignored);
	bytes += size;
	count -= size;
	return count >= 2 ? mysql_u16(bytes) : 0;
}

static void
take_status(struct mysql *mysql, unsigned status)
{
	mysql->answer.transaction = status & STATUS_IN_TRANSACTION
					    ? QUERY_TRANSACTION_OPEN
					    : QUERY_TRANSACTION_NONE;
}

/* Handles the end of a result, or of a statement without one. */
static void
result_ends(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	uint64_t rows;
	unsigned status = status_of(packet, &rows);

	take_status(mysql, status);
	mysql->answer.rows_known = true;
	if (packet->body[0] == OK)
		mysql->answer.rows += rows;
	if (status & STATUS_MORE_RESULTS)
		mysql->state = MYSQL_ANSWER_FIRST;
	else
		done(mysql, QUERY_DONE, when);
}

static int
result_begins(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	uint64_t columns;
	size_t size;

	switch (packet->body[0]) {
	case OK:
		result_ends(mysql, packet, when);
		return 0;
	case FILE_WANTED:
		mysql->state = MYSQL_ANSWER_FILE;
		return 0;
	case END:
		/* The last packet of a prepare's answer; a pipelined execute's
		 * answer follows. */
		return packet->length == 5 ? 0 : -EPROTO;
	}
	size = lenenc(packet->body, packet->kept, &columns);
	if (size == 0 || columns == 0 || columns > COLUMNS_MOST)
		return -EPROTO;
	mysql->columns = columns;
	mysql->state = MYSQL_ANSWER_COLUMNS;
	if (packet->length == size)
		return 0;
	/* MARIADB_CLIENT_CACHE_METADATA: this byte tells whether definitions
	 * follow. */
	if (packet->length != size + 1 || packet->body[size] > 1)
		return -EPROTO;
	if (packet->body[size] == 0)
		mysql->state = MYSQL_ANSWER_AFTER_COLUMNS;
	return 0;
}

static void
take_row(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	bool end = packet->body[0] == END && packet->length < MYSQL_PACKET_FULL;

	if (end && packet->length == 5 &&
	    mysql->state == MYSQL_ANSWER_AFTER_COLUMNS) {
		mysql->state = MYSQL_ANSWER_ROWS;
		/* The rows stay in the server until the client fetches them. */
		if (mysql_u16(packet->body + 3) & STATUS_CURSOR) {
			take_status(mysql, mysql_u16(packet->body + 3));
			done(mysql, QUERY_DONE, when);
		}
		return;
	}
	mysql->state = MYSQL_ANSWER_ROWS;
	if (end)
		result_ends(mysql, packet, when);
	else
		mysql->answer.rows++;
}

/* Takes a packet of a result, except errors. */
static int
take_result(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	switch (mysql->state) {
	case MYSQL_ANSWER_COLUMNS:
		if (--mysql->columns == 0)
			mysql->state = MYSQL_ANSWER_AFTER_COLUMNS;
		return 0;
	case MYSQL_ANSWER_AFTER_COLUMNS:
	case MYSQL_ANSWER_ROWS:
		take_row(mysql, packet, when);
		return 0;
	case MYSQL_ANSWER_FILE:
		result_ends(mysql, packet, when);
		return 0;
	default:
		return result_begins(mysql, packet, when);
	}
}

/* Takes a COM_STMT_PREPARE_OK: number, columns, parameters. */
static int
take_prepared(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	struct question *question = question_at(&mysql->questions, 0);
	uint32_t id;

	if (packet->body[0] != OK || packet->kept < 9)
		return -EPROTO;
	id = mysql_u32(packet->body + 1);
	mysql->left_over = (uint64_t)mysql_u16(packet->body + 5) +
			   mysql_u16(packet->body + 7) + 2;
	snprintf(question->name, sizeof(question->name), "%u", id);
	texts_put(&mysql->texts, id, question->text);
	if (mysql->questions.listener->wants_values)
		mysql_bound_prepared(&mysql->types, id,
				     mysql_u16(packet->body + 7));
	done(mysql, QUERY_DONE, when);
	return 0;
}

static int
take_answer(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	struct question *question = question_at(&mysql->questions, 0);
	unsigned char first = packet->body[0];

	if (question->answered == 0)
		question->answered = when;
	if (failed(mysql, packet, when))
		return 0;
	switch (mysql_shape(question->command)) {
	case MYSQL_SHAPE_RESULT:
		return take_result(mysql, packet, when);
	case MYSQL_SHAPE_PREPARED:
		return take_prepared(mysql, packet, when);
	case MYSQL_SHAPE_UNTIL_EOF:
		if (first == END && packet->length < MYSQL_PACKET_FULL)
			done(mysql, QUERY_DONE, when);
		return 0;
	case MYSQL_SHAPE_ONE:
		done(mysql, QUERY_DONE, when);
		return 0;
	default:
		/* The login of COM_CHANGE_USER has other packets, too. */
		if (first == OK || (first == END && packet->length == 5))
			done(mysql, QUERY_DONE, when);
		return 0;
	}
}

/* Takes an error that the server sends before it closes the connection. */
static bool
is_unasked(const struct packet *packet)
{
	return packet->header[3] == 0 && packet->kept >= 3 &&
	       packet->body[0] == ERROR &&
	       mysql_u16(packet->body + 1) != PROGRESS;
}

/* Returns 1 if the packet is the next one of the answer, 0 if it is to be
 * ignored. */
static int
in_order(struct mysql *mysql, const struct packet *packet)
{
	struct question *question = question_at(&mysql->questions, 0);
	unsigned char sequence = packet->header[3];

	if (mysql->state == MYSQL_ANSWER_FILE ||
	    question->command == MYSQL_CHANGE_USER) {
		/* the client's packets are counted, too */
		mysql->expected = sequence;
	} else if (mysql->state == MYSQL_ANSWER_NONE) {
		mysql->expected = (unsigned char)(question->sequence + 1);
		if (sequence != mysql->expected && mysql->left_over > 0) {
			mysql->left_over--;
			return 0;
		}
	}
	if (is_unasked(packet))
		mysql->expected = sequence;
	if (sequence != mysql->expected || packet->kept == 0)
		return -EPROTO;
	mysql->expected++;
	if (mysql->state == MYSQL_ANSWER_NONE)
		mysql->state = MYSQL_ANSWER_FIRST;
	return 1;
}

static int
take_packet(struct mysql *mysql, const struct packet *packet, uint64_t when)
{
	bool rest = mysql->server_goes_on;
	int answer;

	mysql->server_goes_on = packet->length == MYSQL_PACKET_FULL;
	if (mysql->questions.count == 0) {
		take_login(mysql, packet, when);
		return 0;
	}
	question_at(&mysql->questions, 0)->bytes +=
		MYSQL_HEADER + packet->length;
	if (rest) {
		mysql->expected++;
		return 0;
	}
	answer = in_order(mysql, packet);
	return answer > 0 ? take_answer(mysql, packet, when) : answer;
}

int
mysql_server(struct mysql *mysql, struct piece piece)
{
	struct packet packet;
	int answer = 1;

	while (!mysql->over && answer > 0) {
		answer = stream_next(&mysql->server, &piece, &packet);
		if (answer > 0 && take_packet(mysql, &packet, piece.when) < 0)
			return -EPROTO;
	}
	return answer < 0 ? answer : 0;
}
