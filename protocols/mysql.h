/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client protocol of MySQL and MariaDB, read from the bytes of both
 * directions: every query, from its text to the last packet of its answer. We
 * may begin in the middle of a connection, at the beginning of a command.
 *
 * Supported: COM_QUERY with several statements and several results, prepared
 * statements, cursors, LOAD DATA LOCAL, both ways to end a result (with EOF
 * packets and, CLIENT_DEPRECATE_EOF, without), MariaDB's cached metadata, bulk
 * execution and progress reports, pipelined commands, packets of more than 16
 * MiB. The values of query attributes (MySQL 8) are not read: a query with
 * attributes has an unknown text. When a connection becomes compressed or
 * encrypted, it is not followed any more.
 *
 * Facts: dev.mysql.com/doc/dev/mysql-server, "Client/Server Protocol", and
 * mariadb.com/kb, "MariaDB Client/Server Protocol"; the captured connections
 * under tests/unit/protocols/capture.
 */
#ifndef PROTOCOLS_MYSQL_H
#define PROTOCOLS_MYSQL_H

#include "protocols/questions.h"
#include "protocols/stream.h"

/* How far the answer to the first question has come. */
enum mysql_answer {
	MYSQL_ANSWER_NONE,	    /* the answer has not begun */
	MYSQL_ANSWER_FIRST,	    /* next: a result, an OK or an error */
	MYSQL_ANSWER_COLUMNS,	    /* definitions of columns come next */
	MYSQL_ANSWER_AFTER_COLUMNS, /* next: an EOF packet, a row, or the end */
	MYSQL_ANSWER_ROWS,
	MYSQL_ANSWER_FILE, /* the client is sending a file */
};

struct mysql {
	struct questions questions;
	struct texts texts;
	struct texts types; /* types of parameters, if values are wanted */
	struct stream client;
	struct stream server;
	/* the client's next packet continues its last one */
	bool client_continues;
	bool server_goes_on;
	bool over; /* the connection has become compressed or encrypted */
	/* sequence number of the answer's next packet */
	unsigned char expected;
	enum mysql_answer state;
	uint64_t columns; /* how many definitions have not come yet */
	/* how many packets follow the first one of a prepare's answer */
	uint64_t left_over;
	struct answer answer;
	struct text *prepared; /* the last text that the client prepared */
	bool logging_in; /* the client has sent its login, without an answer */
	struct login login;
	/* the client's capabilities, or 0 if its login was not seen */
	uint32_t can;
};

void mysql_init(struct mysql *mysql, struct query_listener *listener);
void mysql_release(struct mysql *mysql);
/* Takes bytes from the client, or from the server. Returns 0, or -EPROTO if
 * they make no sense; open queries are then lost, and mysql must be
 * released. */
void mysql_asked(struct mysql *mysql, struct text *text, uint64_t when);
must_check int mysql_client(struct mysql *mysql, struct piece piece);
must_check int mysql_server(struct mysql *mysql, struct piece piece);

/* True if these can be the first bytes of a client, or of a command. They are
 * the first `have` bytes of a piece with `whole` bytes. */
bool mysql_detect_client(const unsigned char *bytes, size_t have,
			 uint64_t whole);
/* True if these can be a server's greeting. */
bool mysql_detect_server(const unsigned char *bytes, size_t have,
			 uint64_t whole);

#endif
