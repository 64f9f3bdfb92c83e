/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The server tells with each answer whether a transaction is open: MySQL by a
 * flag of the status, PostgreSQL by a letter in ReadyForQuery, SQLite by a
 * field of its handle. So it does not matter how a transaction was begun: by
 * BEGIN, or because autocommit is off.
 *
 * MySQL tells nothing after an error, which may have ended the transaction (a
 * deadlock does). If the next query does not end it, and no transaction is open
 * after that query, then the transaction has ended with the error.
 *
 * The first words of a query tell only two things: whether a transaction was
 * rolled back, and whether the first one that we see of a connection began
 * earlier.
 */
#include "tracer/queries/transactions.h"

#include "base/list.h"
#include "base/xmalloc.h"
#include "output/query.h"
#include "tracer/queries/request_frames.h"
#include "tracer/report/report.h"
#include "values/fetch.h"
#include "values/items.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The most connections that are known at a time. */
#define CONNECTIONS_MOST 4096
#define WORD_MOST 16

/* What is known of one connection. */
struct transacting {
	/* links all connections; the connection that was used last is at the
	 * end */
	struct list link;
	pid_t pid;
	uint64_t connection;
	bool open;
	bool failed; /* the last query has failed */
	bool busy;   /* a query of the connection's thread has not ended */
	bool mixed;  /* several threads take part in the transaction */
	enum transaction_state state;
	pid_t tid; /* the thread of the connection's last query */
	/* when the last query ended, by the clock and in the thread's own
	 * time */
	uint64_t ended, ended_own;
	struct event_transaction told;
	struct event_call times;
};

struct open_transactions {
	struct list list;
	size_t count;
	uint64_t ids;
};

struct open_transactions *
open_transactions_new(void)
{
	struct open_transactions *transactions =
		xcalloc(1, sizeof(*transactions));

	list_init(&transactions->list);
	return transactions;
}

static void
drop(struct open_transactions *transactions, struct transacting *at)
{
	list_remove(&at->link);
	transactions->count--;
	free(at);
}

void
open_transactions_free(struct open_transactions *transactions)
{
	if (!transactions)
		return;
	list_each(link, after, &transactions->list)
		drop(transactions, list_item(link, struct transacting, link));
	free(transactions);
}

/* ---- connections -----------------------------------------------------------
 */

static struct transacting *
known(const struct session *session, pid_t pid, uint64_t connection)
{
	list_each(link, after, &session->transactions->list) {
		struct transacting *at =
			list_item(link, struct transacting, link);

		if (at->pid == pid && at->connection == connection)
			return at;
	}
	return NULL;
}

/* ---- the words of a query --------------------------------------------------
 */

/* The first word of the query in small letters, or "". */
static void
first_word(const struct event_call *event, char word[WORD_MOST])
{
	const struct argument *sql = query_argument(event);
	struct value_chars text;
	size_t length = 0, at = 0;

	*word = '\0';
	if (!sql || !item_text(&sql->value, 4 * WORD_MOST, &text))
		return;
	while (at < text.length && isspace((unsigned char)text.bytes[at]))
		at++;
	for (; at < text.length && length + 1 < WORD_MOST &&
	       isalpha((unsigned char)text.bytes[at]);
	     at++)
		word[length++] = (char)tolower((unsigned char)text.bytes[at]);
	word[length] = '\0';
}

static bool
rolls_back(const char *word)
{
	return !strcmp(word, "rollback") || !strcmp(word, "abort");
}

static bool
ends_one(const char *word)
{
	return rolls_back(word) || !strcmp(word, "commit") ||
	       !strcmp(word, "end");
}

static bool
begins_one(const char *word)
{
	return !strcmp(word, "begin") || !strcmp(word, "start");
}

/* ---- a transaction ---------------------------------------------------------
 */

static void
end(struct session *session, struct transacting *at, enum transaction_end how,
    uint64_t when)
{
	struct thread *thread =
		at->mixed ? NULL : table_thread(&session->table, at->tid);

	at->open = false;
	at->told.end = how;
	session_measure(session, thread, when, &at->times);
	report_event(session, &(struct event){
				      .kind = EVENT_TRANSACTION_END,
				      .when = session_now(session),
				      .track = at->times.ended_track,
				      .pid = at->pid,
				      .tid = at->tid,
				      .call = &at->times,
				      .transaction = &at->told,
			      });
}

static void
begin(struct session *session, struct transacting *at,
      const struct event_call *event, pid_t tid, bool before)
{
	at->open = true;
	at->mixed = false;
	at->tid = tid;
	at->told = (struct event_transaction){
		.id = ++session->transactions->ids,
		.before = before,
	};
	at->times = (struct event_call){
		.began = event->began,
		.began_own = event->began_own,
		.began_track = event->began_track,
		.began_unsure = event->began_unsure,
	};
	at->ended = event->began;
	at->ended_own = event->began_own;
}

/* The time between the transaction's last query and this one. It is 0 in a
 * pipeline, where a query begins before the last one has ended. */
static int64_t
idle_before(const struct transacting *at, const struct event_call *event,
	    pid_t tid)
{
	int64_t idle = tid == at->tid
			       ? (int64_t)(event->began_own - at->ended_own)
			       : (int64_t)(event->began - at->ended);

	return idle > 0 ? idle : 0;
}

static void
take_part(struct transacting *at, struct event_call *event, pid_t tid)
{
	event->transaction = at->told.id;
	event->idle = idle_before(at, event, tid);
	at->told.queries++;
	at->told.time += event->duration;
	at->told.idle += event->idle;
	at->mixed |= tid != at->tid;
}

/* ---- queries ---------------------------------------------------------------
 */

static struct transacting *
connection_of(struct session *session, pid_t pid, uint64_t connection)
{
	struct open_transactions *all = session->transactions;
	struct transacting *at = known(session, pid, connection);

	if (at) {
		list_remove(&at->link);
	} else {
		if (all->count >= CONNECTIONS_MOST)
			drop(all, list_item(all->list.next, struct transacting,
					    link));
		at = xcalloc(1, sizeof(*at));
		at->pid = pid;
		at->connection = connection;
		all->count++;
	}
	list_append(&all->list, &at->link);
	return at;
}

/* The query is over, and the sinks do not know it yet. */
static void
before_telling(struct session *session, struct transacting *at,
	       struct event_call *event, pid_t tid, const char *word)
{
	enum transaction_state state = event->outcome->transaction;

	if (at->open && at->failed && state == TRANSACTION_NONE &&
	    !ends_one(word))
		end(session, at, TRANSACTION_ROLLED_BACK, at->ended);
	if (!at->open && state > TRANSACTION_NONE)
		begin(session, at, event, tid,
		      at->state == TRANSACTION_UNKNOWN && !begins_one(word));
	if (at->open)
		take_part(at, event, tid);
}

static void
after_telling(struct session *session, struct transacting *at,
	      const struct event_call *event, const char *word, uint64_t now)
{
	enum transaction_state state = event->outcome->transaction;
	bool undone = rolls_back(word) || event->outcome->failed ||
		      at->state == TRANSACTION_FAILED;

	if (at->open && state == TRANSACTION_NONE)
		end(session, at,
		    undone ? TRANSACTION_ROLLED_BACK : TRANSACTION_COMMITTED,
		    now);
	if (state != TRANSACTION_UNKNOWN)
		at->state = state;
}

/* The connection of a query that has not ended is not known. It is taken to be
 * a connection that the thread has used. */
static void
not_over(const struct session *session, pid_t pid, pid_t tid)
{
	list_each(link, after, &session->transactions->list) {
		struct transacting *at =
			list_item(link, struct transacting, link);

		at->busy |= at->pid == pid && at->tid == tid;
	}
}

void
transactions_query_over(struct session *session, pid_t pid, pid_t tid,
			struct call *call, bool *held, uint64_t now)
{
	struct event_call *event = &call->event;
	const struct event_outcome *outcome = event->outcome;
	struct transacting *at = NULL;
	const struct thread *thread;
	char word[WORD_MOST];

	if (session->transactions && outcome && outcome->connection) {
		at = connection_of(session, pid, outcome->connection);
		first_word(event, word);
		before_telling(session, at, event, tid, word);
	}
	request_frames_query_over(session, tid, event, now);
	report_over(session, pid, tid, call, held, now);
	if (session->transactions && event->end != CALL_RETURNED)
		not_over(session, pid, tid);
	if (!at)
		return;
	thread = table_thread(&session->table, tid);
	at->tid = tid;
	at->failed = outcome->failed;
	at->busy = false;
	at->ended = now;
	at->ended_own = thread ? session_own(session, thread, now) : now;
	after_telling(session, at, event, word, now);
}

/* ---- ends ------------------------------------------------------------------
 */

/* The time since the last query, if it has ended. */
static int64_t
idle_since(const struct session *session, const struct transacting *at,
	   uint64_t now)
{
	const struct thread *thread = table_thread(&session->table, at->tid);
	struct event_call here = { .began = now };

	here.began_own = thread ? session_own(session, thread, now) : now;
	return idle_before(at, &here, thread ? at->tid : 0);
}

static void
end_without(struct session *session, struct transacting *at, enum call_end how)
{
	uint64_t now = session_now(session);

	if (at->open) {
		if (!at->busy)
			at->told.idle += idle_since(session, at, now);
		end(session, at,
		    how == CALL_UNFINISHED ? TRANSACTION_UNFINISHED
					   : TRANSACTION_CLOSED,
		    now);
	}
	drop(session->transactions, at);
}

void
transactions_closed(struct session *session, pid_t pid, uint64_t connection,
		    enum call_end how)
{
	struct transacting *at =
		session->transactions ? known(session, pid, connection) : NULL;

	if (at)
		end_without(session, at, how);
}

static void
transactions_end(struct program *program, enum call_end how)
{
	struct session *session = program->session;

	if (!session->transactions)
		return;
	list_each(link, after, &session->transactions->list) {
		struct transacting *at =
			list_item(link, struct transacting, link);

		if (at->pid == program->space->pid)
			end_without(session, at, how);
	}
}

const struct life transactions_life = { .ends = transactions_end };
