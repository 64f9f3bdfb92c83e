/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parameters of MySQL's prepared statements: how many each has, of what
 * types they were last, and their values out of a COM_STMT_EXECUTE. Of a
 * statement that was prepared before we came nothing is known, and so none of
 * its values.
 *
 * Facts: dev.mysql.com/doc/dev/mysql-server, "COM_STMT_EXECUTE" and "Binary
 * Protocol Resultset"; mariadb.com/kb, "COM_STMT_EXECUTE".
 */
#ifndef PROTOCOLS_MYSQL_BOUND_H
#define PROTOCOLS_MYSQL_BOUND_H

#include "protocols/bound.h"
#include "protocols/stream.h"
#include "protocols/texts.h"

/* The texts are types, two bytes a parameter, by the statement's number. */

void mysql_bound_prepared(struct texts *types, uint32_t id, unsigned count);
/* COM_STMT_SEND_LONG_DATA: that parameter's value has come already. */
void mysql_bound_long(struct texts *types, uint32_t id, unsigned parameter);
/* NULL where there are none, or nothing is known. */
struct bound *mysql_bound_values(struct texts *types,
				 const struct packet *packet);
/* COM_STMT_BULK_EXECUTE: that there are many rows, which are not looked at. */
struct bound *mysql_bound_bulk(void);

#endif
