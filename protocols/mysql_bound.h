/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of MySQL's prepared statements: how many each statement has,
 * their last types, and their values in a COM_STMT_EXECUTE. If a statement was
 * prepared before we saw the connection, its types and so its values are
 * unknown.
 *
 * Facts: dev.mysql.com/doc/dev/mysql-server, "COM_STMT_EXECUTE" and "Binary
 * Protocol Resultset"; mariadb.com/kb, "COM_STMT_EXECUTE".
 */
#ifndef PROTOCOLS_MYSQL_BOUND_H
#define PROTOCOLS_MYSQL_BOUND_H

#include "protocols/bound.h"
#include "protocols/stream.h"
#include "protocols/texts.h"

/* `types` has a text for each statement, whose key is the statement's number.
 * Its bytes are the types of the statement's parameters, two bytes each. */

void mysql_bound_prepared(struct texts *types, uint32_t id, unsigned count);
/* COM_STMT_SEND_LONG_DATA: the value of this parameter was sent in a packet of
 * its own. */
void mysql_bound_long(struct texts *types, uint32_t id, unsigned parameter);
/* Returns the values of a COM_STMT_EXECUTE, or NULL if it has no values or
 * their types are unknown. */
struct bound *mysql_bound_values(struct texts *types,
				 const struct packet *packet);
/* COM_STMT_BULK_EXECUTE: one value in place of the rows, which are not read. */
struct bound *mysql_bound_bulk(void);

#endif
