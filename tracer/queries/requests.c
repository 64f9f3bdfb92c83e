/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	UNKNOWN --- sends first, or receives something else ---> NOT
 *	   \
 *	    receives a request ---> SERVING: its head, then its answer
 *
 * Nothing tells that an answer is complete. So the time of a request is
 * measured at each sending, and the request ends when the thread or the
 * connection has got another one, when the connection ends, or when nothing was
 * sent for a second.
 *
 * A server may have a thread that receives, and others that answer. Then the
 * request of a query is known when its thread sends the answer: at each sending
 * the sinks are told which thread has answered.
 *
 * A thread that has got a request before it has answered the one before answers
 * several at the same time. From then on, its queries belong to no request,
 * unless their coroutines tell it (request_coroutines.h).
 *
 * The path is kept without its query string, which may hold secrets, unless the
 * user asks for it.
 */
#include "tracer/queries/requests.h"

#include "base/clock.h"
#include "base/list.h"
#include "base/xmalloc.h"
#include "process/regs.h"
#include "protocols/served.h"
#include "tracer/queries/request_trace.h"

#include <stdlib.h>
#include <string.h>

/* The most requests that may be open. */
#define REQUESTS_MOST 4096
/* An answer is complete if nothing was sent for this time. */
#define QUIET CLOCK_SECOND

struct request {
	struct list link; /* links the requests of struct open_requests */
	struct serving *serving;
	struct event_request told;
	pid_t pid, tid; /* the thread that answers the request */
	/* times are by the clock of the thread that received it */
	pid_t receiver;
	struct event_call times; /* times up to the last sending */
	uint64_t sent; /* when the last sending was; 0: nothing was sent yet */
	char *method, *path;
	/* More header fields may come, and may have a traceparent. Nothing was
	 * sent yet. */
	bool heading;
	struct event_trace trace;
};

struct open_requests {
	struct list list;
	size_t count;
};

struct open_requests *
open_requests_new(void)
{
	struct open_requests *requests = xcalloc(1, sizeof(*requests));

	list_init(&requests->list);
	return requests;
}

bool
requests_wanted(const struct session *session)
{
	return session->options->requests && !session->options->request_frame;
}

/* ---- whose queries ---------------------------------------------------------
 */

/* Which request does the thread answer? After the first bytes of its answer,
 * the thread may have been given another one by a thread that receives. */
static void
choose(struct session *session, pid_t tid)
{
	struct thread_record *record =
		map_get(&session->records, (uint64_t)tid);
	const struct request *begun = NULL;
	unsigned count = 0;

	if (!record)
		return;
	list_each(link, after, &session->requests->list) {
		const struct request *request =
			list_item(link, struct request, link);

		if (request->tid != tid || request->sent)
			continue;
		begun = request;
		count++;
	}
	record->mixes |= count > 1;
	record->request = count == 1 && !record->mixes ? begun->told.id : 0;
}

/* ---- telling ---------------------------------------------------------------
 */

static void
tell(struct session *session, struct request *request, enum event_kind kind)
{
	report_event(session, &(struct event){
				      .kind = kind,
				      .when = session_now(session),
				      .track = request->times.ended_track,
				      .pid = request->pid,
				      .tid = request->tid,
				      .call = &request->times,
				      .request = &request->told,
			      });
}

static void
end(struct session *session, struct request *request)
{
	pid_t tid = request->tid;

	request->told.unfinished = !request->sent;
	if (!request->sent)
		session_measure(session,
				table_thread(&session->table, request->tid),
				session_now(session), &request->times);
	tell(session, request, EVENT_REQUEST_END);
	if (request->heading)
		str_clear(&request->serving->head);
	request->serving->request = NULL;
	list_remove(&request->link);
	session->requests->count--;
	free(request->method);
	free(request->path);
	free(request);
	choose(session, tid);
}

/* The thread has something else to do: its answers are complete. */
static void
end_answered(struct session *session, pid_t tid)
{
	list_each(link, after, &session->requests->list) {
		struct request *request = list_item(link, struct request, link);

		if (request->tid == tid && request->sent)
			end(session, request);
	}
}

static char *
path_of(const struct session *session, const struct served_head *head)
{
	size_t length = head->target_length;
	const char *query = memchr(head->target, '?', length);

	if (query && !session->options->query_strings)
		length = (size_t)(query - head->target);
	return xstrndup(head->target, length);
}

/* The header fields, or a part of them, were received. */
static void
take_head(struct session *session, struct request *request,
	  const struct served_head *head)
{
	request->heading = !head->whole;
	if (!head->has_parent)
		return;
	request->heading = false;
	request->trace = request_trace(&head->parent);
	request->told.trace = &request->trace;
	tell(session, request, EVENT_REQUEST_TRACE);
}

static void
begin(struct serving *serving, struct session *session,
      const struct thread *thread, const struct served_head *head)
{
	struct request *request = xcalloc(1, sizeof(*request));

	if (serving->request)
		end(session, serving->request);
	end_answered(session, thread->tid);
	if (session->requests->count >= REQUESTS_MOST)
		end(session, list_item(session->requests->list.next,
				       struct request, link));
	request->serving = serving;
	request->pid = thread->process->pid;
	request->tid = request->receiver = thread->tid;
	request->times = serving->since;
	request->method = xstrndup(head->method, head->method_length);
	request->path = path_of(session, head);
	request->told = (struct event_request){
		.id = ++session->counts.requests,
		.method = request->method,
		.path = request->path,
	};
	list_append(&session->requests->list, &request->link);
	session->requests->count++;
	serving->request = request;
	serving->state = SERVING;
	tell(session, request, EVENT_REQUEST);
	take_head(session, request, head);
	choose(session, request->tid);
}

/* ---- a connection ----------------------------------------------------------
 */

bool
requests_receive(const struct serving *serving)
{
	return serving->state != SERVING_NOT;
}

bool
requests_send(struct serving *serving)
{
	if (serving->state == SERVING_UNKNOWN)
		serving->state = SERVING_NOT;
	return serving->request != NULL;
}

static void
add_bytes(struct str *head, struct program *program,
	  const struct socket_call *call, uint64_t length)
{
	char bytes[4096];

	for (size_t i = 0; i < call->count && length > 0; i++) {
		uint64_t part = call->parts[i].length, at = 0;

		if (part > length)
			part = length;
		while (at < part && head->length < SERVED_MOST) {
			size_t count = part - at < sizeof(bytes)
					       ? (size_t)(part - at)
					       : sizeof(bytes);

			if (reader_read(program_memory(program),
					call->parts[i].from + at, bytes,
					count) < 0)
				return;
			str_add_bytes(head, bytes, count);
			at += count;
		}
		length -= part;
	}
}

/* The bytes belong to a request whose beginning was received: to its header
 * fields, or to what follows these. */
static void
take_rest(struct serving *serving, struct program *program,
	  const struct socket_call *call, uint64_t length)
{
	struct request *request = serving->request;
	struct served_head head;

	if (!request->heading)
		return;
	add_bytes(&serving->head, program, call, length);
	request->heading = false;
	if (serving->head.length < SERVED_MOST &&
	    served_read(str_text(&serving->head), serving->head.length,
			&head) == SERVED_HEAD)
		take_head(program->session, request, &head);
	if (!request->heading)
		str_clear(&serving->head);
}

void
requests_received(struct serving *serving, struct program *program,
		  struct thread_record *record, const struct socket_call *call,
		  uint64_t length)
{
	struct session *session = program->session;
	struct served_head head;

	if (length == 0)
		return;
	if (serving->request && !serving->request->sent) {
		take_rest(serving, program, call, length);
		return;
	}
	if (serving->head.length == 0)
		session_begin_time(session, record->thread,
				   session_now(session), &serving->since);
	add_bytes(&serving->head, program, call, length);
	switch (served_read(str_text(&serving->head), serving->head.length,
			    &head)) {
	case SERVED_MORE:
		return;
	case SERVED_HEAD:
		begin(serving, session, record->thread, &head);
		if (serving->request->heading)
			return;
		break;
	case SERVED_NONE:
		if (serving->state == SERVING_UNKNOWN)
			serving->state = SERVING_NOT;
		break;
	}
	str_clear(&serving->head);
}

void
requests_sent(struct serving *serving, struct session *session,
	      struct thread_record *record)
{
	struct request *request = serving->request;
	pid_t before = request->tid;
	bool same = before == record->thread->tid;
	bool own = request->receiver == record->thread->tid;

	request->sent = session_now(session);
	/* If the request is not heading, serving->head is the beginning of the
	 * next request. */
	if (request->heading)
		str_clear(&serving->head);
	request->heading = false;
	session_measure(session, own ? record->thread : NULL, request->sent,
			&request->times);
	request->tid = record->thread->tid;
	if (!record->mixes)
		tell(session, request, EVENT_REQUEST_THREAD);
	choose(session, before);
	if (!same)
		choose(session, request->tid);
}

uint64_t
serving_request(const struct serving *serving)
{
	return serving->request ? serving->request->told.id : 0;
}

void
serving_release(struct serving *serving, struct session *session)
{
	if (serving->request)
		end(session, serving->request);
	str_release(&serving->head);
	serving->state = SERVING_UNKNOWN;
}

void
requests_tick(struct session *session)
{
	uint64_t now = clock_now();

	list_each(link, after, &session->requests->list) {
		struct request *request = list_item(link, struct request, link);

		if (request->sent && now > request->sent + QUIET)
			end(session, request);
	}
}
