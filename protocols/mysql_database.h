/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which database a connection to MySQL uses after a statement. The server tells
 * it only to clients that want its session state, so it is read from the
 * statements: USE names a database, and some others may change it in a way that
 * cannot be read.
 */
#ifndef PROTOCOLS_MYSQL_DATABASE_H
#define PROTOCOLS_MYSQL_DATABASE_H

#include <stdbool.h>
#include <stddef.h>

enum mysql_database {
	MYSQL_DATABASE_KEPT,
	MYSQL_DATABASE_NAMED,	/* the statement has chosen a database */
	MYSQL_DATABASE_UNKNOWN, /* it may have chosen another one, or none */
};

/*
 * What these statements, which have ended, have done. whole: the text is not
 * cut. done: the server has reported no error. If the result is
 * MYSQL_DATABASE_NAMED, stores where in text the name is.
 */
enum mysql_database mysql_database_after(const char *text, size_t length,
					 bool whole, bool done,
					 const char **ret_name,
					 size_t *ret_length);

#endif
