/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The transactions of databases, one at a time on a connection. A transaction
 * begins with the first query after which the server says that a transaction is
 * open. It ends with the first query after which none is open, or with its
 * connection. Between two of its queries it is idle: the server keeps its
 * locks, and the program does something else.
 */
#ifndef TRACER_QUERIES_TRANSACTIONS_H
#define TRACER_QUERIES_TRANSACTIONS_H

#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

struct open_transactions;

struct open_transactions *open_transactions_new(void);
void open_transactions_free(struct open_transactions *transactions);

/* The query is over at `now`: tells the sinks its end as report_over() does.
 * The query is a part of a transaction if its outcome says so. */
void transactions_query_over(struct session *session, pid_t pid, pid_t tid,
			     struct call *call, bool *held, uint64_t now);

/* The connection has ended, and its transaction with it. */
void transactions_closed(struct session *session, pid_t pid,
			 uint64_t connection, enum call_end how);

extern const struct life transactions_life;

#endif
