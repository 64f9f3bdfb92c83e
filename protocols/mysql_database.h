/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which database a connection to MySQL uses after a statement or a
 * COM_CHANGE_USER. The server names it only to clients that want its session
 * state. So xtrace reads the statements: USE names a database, and some other
 * statements may change the database without naming it.
 */
#ifndef PROTOCOLS_MYSQL_DATABASE_H
#define PROTOCOLS_MYSQL_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum mysql_database {
	MYSQL_DATABASE_KEPT,
	MYSQL_DATABASE_NAMED, /* the statement has chosen a database */
	/* the statement may have chosen another database, or dropped it */
	MYSQL_DATABASE_UNKNOWN,
};

/*
 * What the statements of the text, which the server has answered, have done to
 * the database. whole: the text is not cut. done: the server has reported no
 * error. If the result is MYSQL_DATABASE_NAMED, stores where in the text the
 * name is.
 */
enum mysql_database mysql_database_after(const char *text, size_t length,
					 bool whole, bool done,
					 const char **ret_name,
					 size_t *ret_length);

/*
 * The database that a COM_CHANGE_USER names. packet: its body, as many bytes as
 * are kept. can: the client's capabilities (MYSQL_CAN_), or 0 if its login was
 * not seen. True: stores where the name is; a length of 0 means no database.
 * False: the packet is not understood.
 */
bool mysql_database_of_user(const unsigned char *packet, size_t kept,
			    uint32_t can, const char **ret_name,
			    size_t *ret_length);

#endif
