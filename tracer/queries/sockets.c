/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	UNKNOWN --- a client's bytes ---> SPOKEN --- no sense ---> UNKNOWN
 *	   |  \                             |
 *	   |   a probe's ---> LEFT <--------+  encrypted, compressed, a probe's
 *	   some sendings later: LEFT
 *
 * "A probe's" is a connection whose queries are shown by probes of a set.
 * connect() and close() make each state UNKNOWN again. Sending on a socket that
 * is LEFT costs the trap and a lookup in a map. Bytes are read only if the
 * state is SPOKEN, except bytes that the protocol skips.
 *
 * A query begins at the entry of the call that sends it, and ends when the call
 * that receives the rest of its answer has returned. The bytes are read when
 * the call has ended, because only then their number is known. A query without
 * an answer has failed as soon as no answer can come: when a receiving call
 * says so, or when the program closes the descriptor. If we cannot follow the
 * connection any more, the query is shown as unfinished.
 */
#include "tracer/queries/sockets.h"

#include "arch/regs.h"
#include "base/clock.h"
#include "process/regs.h"
#include "protocols/connection.h"
#include "tracer/queries/connecting.h"
#include "tracer/queries/poll_traps.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/request_frames.h"
#include "tracer/queries/socket.h"
#include "tracer/queries/socket_map.h"
#include "tracer/queries/transfer.h"

#include <errno.h>

/* A thread whose socket was not found at the attach is examined again, for at
 * most this long. */
#define AGAIN_NS (10 * CLOCK_SECOND)

/* ---- which transfers matter -----------------------------------------------
 */

/* Notes that the thread is about to send to a server: what it waits for then is
 * the answer. */
static void
asks(struct thread *thread, const struct program *program,
     struct socket *socket, const struct socket_call *call)
{
	if (!socket->looked_at)
		socket->talks = call->encrypted ||
				socket_calls_socket(program, call->key);
	socket->looked_at = true;
	if (socket->talks)
		held_asks(&thread->held);
}

/* Does a query that a probe shows need this transfer? What is sent after the
 * answer has begun are rows (COPY FROM). */
static bool
is_read(const struct hit *hit, const struct socket *socket, bool sends)
{
	const struct reads *reads = &socket->reads;
	bool wanted = sends ? reads_answered(reads, hit->session)
			    : reads_wanted(reads, hit->session);

	return wanted && !socket_calls_within(&hit->record->calls);
}

/* Does xtrace also follow requests that clients send to the program? On such a
 * connection, the first bytes come from the client. */
static bool
serves(const struct session *session)
{
	return requests_wanted(session) ||
	       wire_protocols(session) & PROTOCOLS_HTTP;
}

/* The socket on which a thread receives, or NULL if nothing is known of it. On
 * a server's connection, the first transfer is a receive. */
static struct socket *
receiver(struct program *program, const struct socket_call *call)
{
	struct socket *socket = socket_map_find(program, call->key);

	if ((socket && !socket->file) || !serves(program->session) ||
	    (!call->encrypted && !socket_calls_socket(program, call->key)))
		return socket;
	if (socket)
		socket_map_forget(program, call->key, CALL_UNFINISHED);
	return socket_map_get(program, call->key);
}

/* Is the return of a call needed that receives on the socket? */
static bool
is_received(const struct hit *hit, const struct socket *socket)
{
	if (socket->state == SPOKEN || is_read(hit, socket, false))
		return true;
	if (socket->state == UNKNOWN &&
	    wire_protocols(hit->session) & PROTOCOLS_HTTP)
		return true;
	return requests_wanted(hit->session) &&
	       requests_receive(&socket->serving);
}

/* ---- awaited since before xtrace attached ------------------------------- */

/* Values of the map `again`: whether a query of the thread was seen. */
static char not_asked, has_asked;

/* The socket on which the answer to the query will come, if nothing was seen on
 * this socket yet; else NULL. */
static struct socket *
awaited_socket(struct program *program, uint64_t tid,
	       const struct statement_query *query)
{
	uint64_t key = (uint64_t)query->descriptor;
	struct socket *socket;

	if (query->descriptor < 0) {
		if (map_get(&program->sockets->awaited, tid))
			return NULL;
		socket = socket_map_new(program->session, 0);
		map_put(&program->sockets->awaited, tid, socket);
		return socket;
	}
	if (socket_map_find(program, key) || !socket_calls_socket(program, key))
		return NULL;
	return socket_map_get(program, key);
}

void
sockets_await(struct program *program, struct thread_record *record,
	      const struct regs *regs, const struct statement_query *query)
{
	struct session *session = program->session;
	struct event_call event = { .before = true };
	struct sockets *sockets = socket_map_of(program);
	uint64_t tid = (uint64_t)record->thread->tid;
	uint64_t when = sockets->since ? sockets->since : session_now(session);
	struct socket *socket;

	if (query->descriptor < 0)
		map_remove(&sockets->again, tid);
	socket = awaited_socket(program, tid, query);
	if (!socket)
		return;
	socket_follow(socket, query->server == STATEMENT_MYSQL
				      ? PROTOCOL_MYSQL
				      : PROTOCOL_POSTGRES);
	session_begin_time(session, record->thread, when, &event);
	event.return_address = regs_pc(regs);
	wire_here(&socket->wire, program, record, &event);
	socket->wire.blocked = regs;
	socket->wire.coroutine = query->stack;
	connection_asked(socket->connection, query->text.bytes,
			 query->text.length, query->text.whole, when);
	socket->wire.blocked = NULL;
	socket->wire.coroutine = NULL;
	wire_gone(&socket->wire);
}

void
sockets_look_again(struct program *program, pid_t tid, bool again)
{
	struct sockets *sockets = socket_map_of(program);

	if (sockets->since == 0)
		sockets->since = session_now(program->session);
	if (!again)
		map_remove(&sockets->again, (uint64_t)tid);
	else if (!map_get(&sockets->again, (uint64_t)tid))
		map_put(&sockets->again, (uint64_t)tid, &not_asked);
}

bool
sockets_asked(const struct program *program, pid_t tid)
{
	return program->sockets &&
	       map_get(&program->sockets->again, (uint64_t)tid) == &has_asked;
}

struct map *
sockets_again(struct program *program)
{
	struct sockets *sockets = program->sockets;

	return sockets && session_now(program->session) - sockets->since <
				       AGAIN_NS
		       ? &sockets->again
		       : NULL;
}

/* The thread waited for the answer to a query. If it receives something from a
 * socket, that is the answer; if it sends something, or closes a socket, it
 * waits no longer. */
static void
take_awaited(const struct hit *hit, const struct socket_call *call)
{
	struct program *program = hit->program;
	uint64_t tid = (uint64_t)hit->record->thread->tid;
	struct socket *socket;

	if (!program->sockets)
		return;
	if (map_get(&program->sockets->again, tid))
		map_put(&program->sockets->again, tid, &has_asked);
	socket = map_get(&program->sockets->awaited, tid);
	if (!socket ||
	    (!call->encrypted && !socket_calls_socket(program, call->key)))
		return;
	map_remove(&program->sockets->awaited, tid);
	if (call->act == SOCKET_SENDS) {
		socket_map_free(program, socket, CALL_UNFINISHED);
		return;
	}
	socket_map_forget(program, call->key, CALL_UNFINISHED);
	socket->wire.key = call->key;
	socket_map_add(program, call->key, socket);
}

/* A connection begins or ends. A vfork child has its own descriptors. */
static void
begins(const struct hit *hit, const struct socket_call *call)
{
	struct program *program = hit->program;
	struct socket *socket = socket_map_find(program, call->key);
	struct connecting *connecting;

	if (hit->record->thread->process->pid != program->space->pid)
		return;
	if (socket)
		socket_closed_by_program(socket, hit->when);
	if (socket)
		reads_drop(&socket->reads, program);
	socket_map_forget(program, call->key, CALL_UNFINISHED);
	if (call->act == SOCKET_CONNECTS &&
	    (connecting = connecting_begin(hit)))
		socket_map_get(program, call->key)->wire.connecting =
			connecting;
}

/* True if the thread receives outside of probed functions, and the connection
 * is not known as one to a database whose queries are shown. */
static bool
is_foreign(const struct hit *hit, uint64_t key)
{
	const struct socket *socket = socket_map_find(hit->program, key);

	return !probes_within(&hit->record->calls) &&
	       (!socket || (socket->state != SPOKEN && !socket->reads.cell));
}

/* Returns true if the return of the call is needed. */
static bool
is_of_interest(struct hit *hit, const struct socket_function *function,
	       addr_t return_address, struct socket_call *ret_call)
{
	struct program *program = hit->program;
	struct socket *socket;
	bool inside;
	uint64_t key;

	if (!socket_call_read(hit, function, ret_call) ||
	    (hit->before && ret_call->act != SOCKET_RECEIVES))
		return false;
	key = ret_call->key;
	if (ret_call->act != SOCKET_WAITS)
		take_awaited(hit, ret_call);
	if (ret_call->act == SOCKET_BEGINS ||
	    ret_call->act == SOCKET_CONNECTS) {
		begins(hit, ret_call);
		return false;
	}
	socket = socket_map_find(program, key);
	if (socket && !probes_within(&hit->record->calls))
		reads_tell(&socket->reads, hit);
	if (ret_call->act == SOCKET_WAITS) {
		poll_traps_hit(hit);
		socket = socket_map_find(program, key);
		if (socket)
			reads_wait(&socket->reads, hit->session,
				   hit->record->thread, hit->when);
		return false;
	}
	if (ret_call->act == SOCKET_RECEIVES) {
		if (hit->record->framed && is_foreign(hit, key))
			request_frames_look(hit);
		socket = receiver(program, ret_call);
		return socket && is_received(hit, socket);
	}
	socket = socket_map_get(program, key);
	if (requests_send(&socket->serving))
		return true;
	inside = probes_within(&hit->record->calls);
	if (socket->state != LEFT && inside)
		socket_leave(socket);
	if (socket->state == UNKNOWN && ret_call->encrypted &&
	    !socket->wire.connecting)
		socket->wire.connecting = connecting_encrypted(hit->record);
	if (socket->state != LEFT && wire_is_done(&socket->wire))
		socket_leave(socket);
	if (socket->state == UNKNOWN && ret_call->length > 0)
		socket_look(program, socket, ret_call, return_address);
	if (inside || (socket->state == SPOKEN && !socket->wire.serves))
		asks(hit->record->thread, program, socket, ret_call);
	if (socket->state == SPOKEN)
		return true;
	if (inside)
		reads_sending(&socket->reads, &hit->record->calls);
	return is_read(hit, socket, true);
}

int
sockets_entered(struct hit *hit, struct tracepoint *tracepoint,
		addr_t return_address)
{
	struct socket_call socket;
	struct call *call;
	int r;

	/* A call that an exception has left must not contain this call. */
	if (probes_within(&hit->record->calls))
		calls_end_overwritten(&hit->record->calls, regs_sp(&hit->regs),
				      program_memory(hit->program));
	if (!is_of_interest(hit, tracepoint->socket, return_address, &socket))
		return 0;
	r = report_begin(hit, tracepoint, return_address, &call);
	if (r < 0)
		return r == -ESRCH ? r : 0;
	held_reads(&hit->record->thread->held);
	session_begin_time(hit->session, hit->record->thread, socket.when,
			   &call->event);
	call->event.return_address = return_address;
	report_open(call)->own =
		arena_copy(&call->arena, &socket, sizeof(socket));
	return 0;
}

/* ---- what was transferred ----------------------------------------------- */

static void
take_transfer(struct program *program, struct thread_record *record,
	      struct socket *socket, const struct socket_call *call,
	      uint64_t length, uint64_t when)
{
	struct transfer transfer = {
		.connection = socket->connection,
		.client = (call->act == SOCKET_SENDS) != socket->wire.serves,
		.when = when,
	};
	int r = transfer_take(program, call, &transfer, length);

	if (socket->wire.encrypted)
		connecting_encrypts(record, take(socket->wire.connecting));
	if (r == -ENODATA) {
		if (socket->wire.compressed)
			wire_say_compressed(&socket->wire);
		socket_leave(socket);
	} else if (r < 0) {
		socket_close(socket, CALL_UNFINISHED);
		socket->state = UNKNOWN;
		socket->tries = SOCKET_TRIES;
	}
}

/* Adds a read on a connection whose queries a probe shows: the probed calls do
 * not tell the sinks of it. */
static void
read_over(struct session *session, struct thread_record *record,
	  struct socket *socket, const struct event_call *event, int64_t length,
	  bool again)
{
	if (length > 0 || again)
		reads_over(&socket->reads, session, record->thread, event,
			   length > 0 ? (uint64_t)length : 0,
			   probes_within(&record->calls));
	if (length > 0 && record->thread->held.awaited)
		held_arrived(&record->thread->held);
}

static void
returned(struct session *session, struct thread_record *record,
	 struct program *program, const struct socket_call *call,
	 const struct event_call *event)
{
	struct socket *socket = socket_map_find(program, call->key);
	const struct regs *regs = thread_regs(&session->table, record->thread);
	struct held_clock *held = &record->thread->held;
	const char *end;
	int64_t length;

	if (!socket || !regs)
		return;
	length = socket_call_result(call, program, regs);
	if (call->act == SOCKET_RECEIVES && length > 0 &&
	    socket->state == UNKNOWN)
		socket_look_served(program, socket, call, (uint64_t)length,
				   event->return_address);
	if (call->act == SOCKET_SENDS && socket->serving.request) {
		requests_sent(&socket->serving, session, record);
		if (socket->state != SPOKEN)
			return;
	}
	if (call->act == SOCKET_RECEIVES && length > 0 &&
	    (socket->state != SPOKEN || socket->wire.serves) &&
	    requests_wanted(session))
		requests_received(&socket->serving, program, record, call,
				  (uint64_t)length);
	if (socket->state != SPOKEN) {
		read_over(session, record, socket, event, length,
			  socket_call_again(call, program, regs));
		return;
	}
	wire_here(&socket->wire, program, record, event);
	if (length > 0) {
		take_transfer(program, record, socket, call, (uint64_t)length,
			      call->act == SOCKET_SENDS && !socket->wire.serves
				      ? call->when
				      : session_now(session));
	} else if (!socket->wire.serves &&
		   (end = socket_call_end(call, program, regs))) {
		connection_ended(socket->connection, session_now(session));
		socket_break(socket, end);
		socket->state = LEFT;
	}
	wire_gone(&socket->wire);
	if (socket->wire.serves)
		return;
	if (call->act == SOCKET_RECEIVES && held->awaited &&
	    wire_answers(&socket->wire, socket->connection))
		held_arrived(held);
	else if (call->act == SOCKET_SENDS && !held->awaited)
		held_asked_over(held);
}

void
sockets_over(struct session *session, struct thread_record *record,
	     struct call *call, enum call_end how)
{
	const struct open_call *open = report_open(call);

	if (how == CALL_RETURNED && open->own)
		returned(session, record, open->program, open->own,
			 &call->event);
}
