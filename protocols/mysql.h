/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client protocol of MySQL and MariaDB, seen from between the two: every
 * query that goes by, from its text to the last packet of its answer. It may
 * be joined in the middle, at the beginning of a command.
 *
 * Understood: COM_QUERY with several statements and several results, prepared
 * statements, cursors, LOAD DATA LOCAL, both ways to end a result (EOF
 * packets and, CLIENT_DEPRECATE_EOF, without), MariaDB's cached metadata,
 * bulk execution and progress reports, pipelined commands, packets beyond
 * 16 MiB. The values of query attributes (MySQL 8) are not read: a query that
 * has some is one of unknown text. A compressed or encrypted connection is
 * left alone from where it becomes so.
 *
 * Facts: dev.mysql.com/doc/dev/mysql-server, "Client/Server Protocol", and
 * mariadb.com/kb, "MariaDB Client/Server Protocol"; the captured connections
 * under tests/unit/protocols/capture.
 */
#ifndef PROTOCOLS_MYSQL_H
#define PROTOCOLS_MYSQL_H

#include "protocols/questions.h"
#include "protocols/stream.h"

/* Where the answer to the first question stands. */
enum mysql_answer {
	MYSQL_ANSWER_NONE,	    /* not begun */
	MYSQL_ANSWER_FIRST,	    /* a result, or an OK, or an error comes */
	MYSQL_ANSWER_COLUMNS,	    /* definitions of columns */
	MYSQL_ANSWER_AFTER_COLUMNS, /* an EOF packet, or a row, or the end */
	MYSQL_ANSWER_ROWS,
	MYSQL_ANSWER_FILE, /* the client sends a file meanwhile */
};

struct mysql {
	struct questions questions;
	struct texts texts;
	struct texts types; /* of parameters, where their values are wanted */
	struct stream client;
	struct stream server;
	bool client_goes_on; /* the next packet is more of the last */
	bool server_goes_on;
	bool over;		/* compressed or encrypted */
	unsigned char expected; /* sequence number of the answer's next */
	enum mysql_answer state;
	uint64_t columns;   /* definitions still to come */
	uint64_t left_over; /* packets after a prepare's answer proper */
	struct answer answer;
	struct text *prepared; /* the last that the client sent */
};

void mysql_init(struct mysql *mysql, struct query_listener *listener);
void mysql_release(struct mysql *mysql);
/* Bytes from the client, or from the server: 0, or -EPROTO when they cannot
 * be understood; open queries are then lost, and mysql is to be released. */
must_check int mysql_client(struct mysql *mysql, struct piece piece);
must_check int mysql_server(struct mysql *mysql, struct piece piece);

/* Whether these look like the first bytes of the client, or of a command, of
 * a piece with `whole` bytes of which `have` are there. */
bool mysql_detect_client(const unsigned char *bytes, size_t have,
			 uint64_t whole);
/* Whether these are a server's greeting. */
bool mysql_detect_server(const unsigned char *bytes, size_t have,
			 uint64_t whole);

#endif
