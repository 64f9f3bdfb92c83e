/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client's side of the MySQL protocol.
 *
 * A packet consists of a length of three bytes, a sequence number of one byte,
 * and the body. A command has the sequence number 0. A client packet with
 * another number belongs to the login, to a file that the server requested, or
 * to a packet of more than 16 MiB. Therefore we need no states for the login:
 * it only tells us whether the connection will be compressed or encrypted.
 *
 * After its greeting, the server sends nothing without a question. If a command
 * comes and no question is open, then the server's last answer has ended,
 * whatever we thought, and its next byte begins a packet.
 */
#include "protocols/mysql_bound.h"
#include "protocols/mysql_database.h"
#include "protocols/mysql_parts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The part of an answer's packet that is read. An error message is the
 * longest. */
enum { SERVER_KEEP = 4 + 6 + QUERY_MESSAGE_MOST };

static bool
packet_body(const unsigned char *header, uint64_t *ret_length)
{
	*ret_length = mysql_u24(header);
	return true;
}

static const struct framing framing = { MYSQL_HEADER, packet_body };

void
mysql_init(struct mysql *mysql, struct query_listener *listener)
{
	memset(mysql, 0, sizeof(*mysql));
	questions_init(&mysql->questions, listener);
	texts_init(&mysql->texts);
	texts_init(&mysql->types);
	stream_init(&mysql->client, &framing, QUERY_TEXT_MOST + 1);
	stream_init(&mysql->server, &framing, SERVER_KEEP);
}

void
mysql_release(struct mysql *mysql)
{
	questions_release(&mysql->questions);
	texts_release(&mysql->texts);
	texts_release(&mysql->types);
	text_unref(mysql->prepared);
	mysql->prepared = NULL;
	stream_release(&mysql->client);
	stream_release(&mysql->server);
}

enum mysql_shape
mysql_shape(unsigned char command)
{
	switch (command) {
	case MYSQL_QUERY:
	case MYSQL_PROCESS_INFO:
	case MYSQL_STMT_EXECUTE:
	case MYSQL_STMT_BULK_EXECUTE:
		return MYSQL_SHAPE_RESULT;
	case MYSQL_STMT_PREPARE:
		return MYSQL_SHAPE_PREPARED;
	case MYSQL_FIELD_LIST:
	case MYSQL_STMT_FETCH:
		return MYSQL_SHAPE_UNTIL_EOF;
	case MYSQL_STATISTICS:
		return MYSQL_SHAPE_ONE;
	case MYSQL_QUIT:
	case MYSQL_STMT_SEND_LONG_DATA:
	case MYSQL_STMT_CLOSE:
		return MYSQL_SHAPE_NONE;
	case MYSQL_BINLOG_DUMP:
	case MYSQL_BINLOG_DUMP_GTID:
		return MYSQL_SHAPE_ENDLESS;
	default:
		/* COM_INIT_DB, the old commands up to COM_CHANGE_USER, ping,
		 * reset, set_option, ... */
		return command > 0 && command <= MYSQL_RESET_CONNECTION
			       ? MYSQL_SHAPE_OK
			       : MYSQL_SHAPE_UNKNOWN;
	}
}

/* The text of a packet: the bytes after its command. */
static struct text *
text_of(const struct packet *packet)
{
	const unsigned char *bytes = packet->body + 1;
	size_t count = packet->kept - 1;
	uint64_t whole = packet->length - 1;

	/* With CLIENT_QUERY_ATTRIBUTES the number of attributes and the byte 1
	 * come before the text. No text begins with a zero. */
	if (packet->body[0] == MYSQL_QUERY && count >= 2 && bytes[1] == 1) {
		if (bytes[0] == 0) {
			bytes += 2;
			count -= 2;
			whole -= 2;
		} else if (bytes[0] < '\t') {
			return NULL;
		}
	}
	return text_new(bytes, count, whole);
}

static int
ask(struct mysql *mysql, const struct packet *packet, struct text *text)
{
	struct question *question;

	question = questions_add(&mysql->questions, packet->body[0],
				 packet->began, text);
	if (!question)
		return -EPROTO;
	question->sequence = packet->header[3];
	return 0;
}

/* Takes a command that is no query, and keeps its text until it is answered. */
static int
ask_silently(struct mysql *mysql, const struct packet *packet)
{
	struct text *text = text_of(packet);
	int error = ask(mysql, packet, text);

	text_unref(text);
	return error;
}

/* Takes a COM_CHANGE_USER. Its text is the name of the database. */
static int
ask_as_user(struct mysql *mysql, const struct packet *packet)
{
	struct text *text = NULL;
	const char *name;
	size_t length;
	int error;

	if (mysql_database_of_user(packet->body, packet->kept, mysql->can,
				   &name, &length))
		text = text_new(name, length, length);
	error = ask(mysql, packet, text);
	text_unref(text);
	return error;
}

static struct question *
last_question(struct mysql *mysql)
{
	return question_at(&mysql->questions, mysql->questions.count - 1);
}

static int
ask_text(struct mysql *mysql, const struct packet *packet)
{
	struct text *text = text_of(packet);
	int error = ask(mysql, packet, text);
	bool prepare = packet->body[0] == MYSQL_STMT_PREPARE;

	if (!error) {
		question_begins(&mysql->questions, last_question(mysql),
				prepare ? QUERY_PREPARE : QUERY_TEXT);
	}
	if (!error && prepare) {
		text_unref(mysql->prepared);
		mysql->prepared = text_ref(text);
	}
	text_unref(text);
	return error;
}

static bool
wants_values(const struct mysql *mysql)
{
	return mysql->questions.listener->wants_values;
}

static int
ask_execute(struct mysql *mysql, const struct packet *packet)
{
	char name[QUERY_NAME_MOST];
	struct question *question;
	struct text *text;
	uint32_t id;

	if (packet->kept < 5)
		return -EPROTO;
	id = mysql_u32(packet->body + 1);
	snprintf(name, sizeof(name), "%u", id);
	/* MariaDB: the last prepared statement, whose number the client does
	 * not know yet. */
	if (id == UINT32_MAX)
		text = mysql->prepared;
	else
		text = questions_statement(&mysql->questions, &mysql->texts, id,
					   name);
	if (ask(mysql, packet, text) < 0)
		return -EPROTO;
	question = last_question(mysql);
	memcpy(question->name, name, sizeof(name));
	if (wants_values(mysql))
		question->bound =
			packet->body[0] == MYSQL_STMT_EXECUTE
				? mysql_bound_values(&mysql->types, packet)
				: mysql_bound_bulk();
	question_begins(&mysql->questions, question, QUERY_EXECUTE);
	return 0;
}

static int
take_command(struct mysql *mysql, const struct packet *packet)
{
	unsigned char command;

	if (packet->kept == 0)
		return -EPROTO;
	command = packet->body[0];
	mysql->logging_in = false;
	if (mysql->questions.count == 0) {
		stream_restart(&mysql->server);
		mysql->server_goes_on = false;
		mysql->left_over = 0;
		mysql->state = MYSQL_ANSWER_NONE;
	}
	switch (command) {
	case MYSQL_QUERY:
	case MYSQL_STMT_PREPARE:
		return ask_text(mysql, packet);
	case MYSQL_STMT_EXECUTE:
	case MYSQL_STMT_BULK_EXECUTE:
		return ask_execute(mysql, packet);
	case MYSQL_STMT_CLOSE:
		if (packet->kept >= 5) {
			texts_forget(&mysql->texts,
				     mysql_u32(packet->body + 1));
			texts_forget(&mysql->types,
				     mysql_u32(packet->body + 1));
		}
		return 0;
	case MYSQL_STMT_SEND_LONG_DATA:
		if (packet->kept >= 7 && wants_values(mysql))
			mysql_bound_long(&mysql->types,
					 mysql_u32(packet->body + 1),
					 mysql_u16(packet->body + 5));
		return 0;
	case MYSQL_CHANGE_USER:
	case MYSQL_RESET_CONNECTION:
		texts_clear(&mysql->texts);
		texts_clear(&mysql->types);
		return command == MYSQL_CHANGE_USER ? ask_as_user(mysql, packet)
						    : ask(mysql, packet, NULL);
	case MYSQL_INIT_DB:
		return ask_silently(mysql, packet);
	}
	switch (mysql_shape(command)) {
	case MYSQL_SHAPE_UNKNOWN:
		return -EPROTO;
	case MYSQL_SHAPE_NONE:
		return 0;
	case MYSQL_SHAPE_ENDLESS:
		mysql->over = true;
		return 0;
	default:
		return ask(mysql, packet, NULL);
	}
}

void
mysql_asked(struct mysql *mysql, struct text *text, uint64_t when)
{
	questions_unseen(&mysql->questions, MYSQL_QUERY, when, text);
}

/* Copies a string that a zero byte ends to an array of `most` bytes. Returns
 * what is behind it, or end. */
static const unsigned char *
take_string(const unsigned char *at, const unsigned char *end, char *to,
	    size_t most)
{
	const unsigned char *zero = memchr(at, '\0', (size_t)(end - at));
	size_t length = (size_t)((zero ? zero : end) - at);

	if (length > most - 1)
		length = most - 1;
	memcpy(to, at, length);
	to[length] = '\0';
	return zero ? zero + 1 : end;
}

/* Protocol::HandshakeResponse41: behind the fixed part the user, what proves
 * the password, and the database. */
static void
begin_login(struct mysql *mysql, const struct packet *packet, uint32_t can)
{
	const unsigned char *at = packet->body + MYSQL_LOGIN_FIXED;
	const unsigned char *end = packet->body + packet->kept;
	char ignored[QUERY_NAME_MOST];

	memset(&mysql->login, 0, sizeof(mysql->login));
	mysql->logging_in = true;
	mysql->can = can;
	at = take_string(at, end, mysql->login.user, QUERY_NAME_MOST);
	if (!(can & MYSQL_CAN_DATABASE) || at == end)
		return;
	if (!(can & (MYSQL_CAN_SECURE | MYSQL_CAN_LENENC)))
		at = take_string(at, end, ignored, sizeof(ignored));
	else if (*at < 0xfb && *at < end - at)
		at += 1 + *at;
	else
		return;
	take_string(at, end, mysql->login.database, QUERY_DATABASE_MOST);
}

/* A packet that is not a command. Only the first packet of the login
 * matters. */
static void
take_login(struct mysql *mysql, const struct packet *packet)
{
	struct query_listener *listener = mysql->questions.listener;
	uint32_t can;

	if (mysql->questions.count > 0 || packet->header[3] > 2 ||
	    packet->kept < MYSQL_LOGIN_FIXED)
		return;
	can = mysql_u32(packet->body);
	if (!(can & MYSQL_CAN_PROTOCOL_41))
		return;
	if (can & MYSQL_CAN_SSL && packet->length == MYSQL_LOGIN_FIXED) {
		mysql->over = true;
		listener->notice(listener, QUERY_NOTICE_ENCRYPTED);
	} else if (can & (MYSQL_CAN_COMPRESS | MYSQL_CAN_ZSTD)) {
		mysql->over = true;
		listener->notice(listener, QUERY_NOTICE_COMPRESSED);
	} else if (packet->length > MYSQL_LOGIN_FIXED) {
		begin_login(mysql, packet, can);
	}
}

static int
take_packet(struct mysql *mysql, const struct packet *packet)
{
	bool rest = mysql->client_continues;

	mysql->client_continues = packet->length == MYSQL_PACKET_FULL;
	if (rest) {
		if (mysql->questions.count > 0)
			last_question(mysql)->sequence = packet->header[3];
		return 0;
	}
	if (packet->header[3] == 0)
		return take_command(mysql, packet);
	take_login(mysql, packet);
	return 0;
}

int
mysql_client(struct mysql *mysql, struct piece piece)
{
	struct packet packet;
	int answer = 1;

	while (!mysql->over && answer > 0) {
		answer = stream_next(&mysql->client, &piece, &packet);
		if (answer > 0 && take_packet(mysql, &packet) < 0)
			return -EPROTO;
	}
	return answer < 0 ? answer : 0;
}
