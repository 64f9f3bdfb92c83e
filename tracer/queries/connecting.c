/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nothing is shown before the login is over: until then, it is not known that
 * the peer is a database. So a connection that is refused has no event. */
#include "tracer/queries/connecting.h"

#include "base/xmalloc.h"
#include "tracer/plan/sets.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/wire.h"
#include "tracer/queries/wire_server.h"
#include "tracer/queries/wire_values.h"
#include "tracer/report/where.h"
#include "values/fetch.h"

#include <stdlib.h>
#include <string.h>

struct connecting {
	pid_t pid, tid;
	/* The thread had already begun to encrypt another connection when it
	 * began to encrypt this one. */
	bool mixed;
	struct call call; /* only its event and its arena are used */
};

bool
connecting_wanted(const struct session *session)
{
	return sets_connects(session->sets);
}

struct connecting *
connecting_begin(const struct hit *hit)
{
	struct thread *thread = hit->record->thread;
	struct connecting *connecting;

	if (!connecting_wanted(hit->session) ||
	    probes_within(&hit->record->calls))
		return NULL;
	connecting = xcalloc(1, sizeof(*connecting));
	connecting->pid = thread->process->pid;
	connecting->tid = thread->tid;
	connecting->call.event.request = hit->record->request;
	arena_init(&connecting->call.arena);
	session_begin_time(hit->session, thread, hit->when,
			   &connecting->call.event);
	where_capture(hit, &connecting->call);
	return connecting;
}

void
connecting_free(struct connecting *connecting)
{
	if (connecting)
		arena_release(&connecting->call.arena);
	free(connecting);
}

void
connecting_encrypts(struct thread_record *record, struct connecting *connecting)
{
	if (connecting && record->connecting)
		connecting->mixed = true;
	connecting_free(record->connecting);
	record->connecting = connecting;
}

struct connecting *
connecting_encrypted(struct thread_record *record)
{
	struct connecting *connecting = record->connecting;

	record->connecting = NULL;
	if (!connecting || !connecting->mixed)
		return connecting;
	connecting_free(connecting);
	return NULL;
}

static void
add_word(struct arguments *arguments, const char *name, const char *word)
{
	struct argument *argument = &arguments->at[arguments->count++];

	argument->name = name;
	argument->param = SIZE_MAX;
	wire_text_value(arguments, &argument->value, LENS_STRING, word,
			strlen(word));
}

static struct arguments *
arguments_of(struct arena *arena, const struct login *login)
{
	struct arguments *arguments = arena_zalloc(arena, sizeof(*arguments));

	arguments->arena = arena;
	arguments->at = arena_zalloc(arena, 2 * sizeof(*arguments->at));
	add_word(arguments, "user", login->user);
	if (login->database[0])
		add_word(arguments, "database", login->database);
	return arguments;
}

/* If the client names no database, PostgreSQL uses the database that has the
 * name of the user. */
static const char *
database_of(enum protocol protocol, const struct login *login)
{
	if (login->database[0])
		return login->database;
	return protocol == PROTOCOL_MYSQL ? NULL : login->user;
}

void
connecting_over(struct connecting *connecting, struct wire *wire,
		const struct login *login)
{
	struct session *session = wire->session;
	struct call *call = &connecting->call;
	struct event_call *event = &call->event;
	struct event_outcome outcome = { .failed = login->failed,
					 .has_code = login->code != 0,
					 .code = login->code };
	bool held = true;

	outcome.state = login->state[0] ? login->state : NULL;
	outcome.message = login->message[0] ? login->message : NULL;
	event->id = ++session->counts.begun;
	event->name = event->display = wire->protocol == PROTOCOL_MYSQL
					       ? "mysql-connect"
					       : "postgresql-connect";
	event->connects = event->bare = true;
	event->arguments = arguments_of(&call->arena, login);
	event->result = wire_number_value(&call->arena, login->failed ? -1 : 0);
	event->arguments->result = event->result;
	event->outcome = &outcome;
	event->server = wire_server(wire, &call->arena,
				    database_of(wire->protocol, login));
	event->end = CALL_RETURNED;
	session_measure(session, table_thread(&session->table, connecting->tid),
			login->ended, event);
	report_complete(session);
	report_over(session, connecting->pid, connecting->tid, call, &held,
		    session_now(session));
}

static void
thread_gone(struct thread_record *record)
{
	connecting_free(record->connecting);
	record->connecting = NULL;
}

const struct life connecting_life = { .thread_gone = thread_gone };
