/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A worker calls the function in a loop, and the frames of these calls may all
 * be at one address. Two queries belong to different requests if
 *
 * - the thread was seen without the frame in between: at a query, or at a call
 *   that receives something else, such as the next job from a queue;
 * - or the function's parameters are other objects, and the function did not
 *   get further in its code. Each of the two alone proves nothing: a function
 *   may assign to its parameters, and has loops;
 * - or the function's variables now have another header traceparent.
 *
 * Queries that no rule tells apart are counted as one request.
 *
 * A coroutine's frame leaves the stack whenever the coroutine waits, so the
 * first rule does not hold for it. Its address belongs to the coroutine as long
 * as the coroutine lives, so coroutines of one event loop have requests of
 * their own.
 */
#include "tracer/queries/request_frames.h"

#include "base/list.h"
#include "base/xmalloc.h"
#include "tracer/model/say.h"
#include "tracer/options/request_frame.h"
#include "tracer/queries/request_trace.h"
#include "tracer/report/where.h"

#include <stdlib.h>
#include <string.h>

/* The most requests of one thread that may be open. */
enum { FRAMED_MOST = 1024 };

/* A longer header traceparent is of no known version. */
enum { TRACEPARENT_MOST = 512 };

struct framed_request {
	struct list link; /* links the open requests of struct framed */
	struct frame frame;
	bool stateful; /* state is known */
	struct source_frame_state state;
	struct event_request told;
	struct event_call times; /* times up to the end of the last query */
	char *function, *file;
	char *header; /* the request's traceparent, or NULL */
	struct event_trace trace;
};

/* The open requests of one thread. */
struct framed {
	struct list open;
	size_t count;
	struct program *program;
	pid_t pid, tid;
};

/* ---- telling ------------------------------------------------------------ */

static void
tell(const struct framed *framed, struct framed_request *request,
     enum event_kind kind, uint64_t track)
{
	struct session *session = framed->program->session;

	report_event(session, &(struct event){
				      .kind = kind,
				      .when = session_now(session),
				      .track = track,
				      .pid = framed->pid,
				      .tid = framed->tid,
				      .call = &request->times,
				      .request = &request->told,
			      });
}

static void
end(struct framed *framed, struct framed_request *request)
{
	tell(framed, request, EVENT_REQUEST_END, request->times.ended_track);
	list_remove(&request->link);
	framed->count--;
	free(request->function);
	free(request->file);
	free(request->header);
	free(request);
}

static void
end_all(struct framed *framed)
{
	list_each(link, after, &framed->open)
		end(framed, list_item(link, struct framed_request, link));
}

static struct framed *
framed_of(struct program *program, struct thread_record *record)
{
	struct framed *framed = record->framed;

	if (framed)
		return framed;
	framed = record->framed = xcalloc(1, sizeof(*framed));
	list_init(&framed->open);
	framed->program = program;
	framed->pid = record->thread->process->pid;
	framed->tid = record->thread->tid;
	return framed;
}

/* Returns the request's header traceparent, which the function may have in a
 * variable, or NULL. The caller frees it. */
static char *
header_of(const struct framed *framed, const struct frame *frame)
{
	char text[TRACEPARENT_MOST];

	/* The header is read whatever the outputs are, so that all outputs
	 * count the same requests. */
	return where_traceparent(framed->program, frame, text, sizeof(text))
		       ? xstrdup(text)
		       : NULL;
}

static void
take_trace(const struct framed *framed, struct framed_request *request,
	   const struct frame *frame)
{
	struct traceparent parent;

	request->header = header_of(framed, frame);
	if (!request->header ||
	    !traceparent_read(request->header, strlen(request->header),
			      &parent))
		return;
	request->trace = request_trace(&parent);
	request->told.trace = &request->trace;
	tell(framed, request, EVENT_REQUEST_TRACE, request->times.began_track);
}

static struct framed_request *
begin(struct framed *framed, struct thread_record *record,
      const struct frame *frame, const struct event_call *query)
{
	struct framed_request *request = xcalloc(1, sizeof(*request));
	struct session *session = framed->program->session;

	request->frame = (struct frame){ .kind = frame->kind, .at = frame->at };
	request->function = xstrdup(frame->function);
	request->file = frame->file ? xstrdup(frame->file) : NULL;
	request->told = (struct event_request){
		.id = ++session->counts.requests,
		.function = request->function,
		.file = request->file,
	};
	request->times = (struct event_call){
		.began = query->began,
		.began_own = query->began_own,
		.began_track = query->began_track,
		.began_unsure = query->began_unsure,
	};
	session_measure(session, record->thread, session_now(session),
			&request->times);
	list_append(&framed->open, &request->link);
	framed->count++;
	tell(framed, request, EVENT_REQUEST, request->times.began_track);
	take_trace(framed, request, frame);
	return request;
}

/* ---- which request ------------------------------------------------------- */

/* The outermost frame that matches: a function may call itself. */
static const struct frame *
find_frame(struct request_frame *pattern, const struct stack *stack)
{
	for (size_t i = stack->count; i-- > 0;) {
		const struct frame *frame = &stack->at[i];

		if (frame->kind < FRAME_SCRIPT ||
		    !request_frame_matches(pattern, frame->function,
					   frame->file))
			continue;
		pattern->found = true;
		return frame;
	}
	return NULL;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* May the frame belong to the request? The request's last frame was at the same
 * address. */
static bool
is_same(const struct framed_request *request, const struct frame *frame,
	bool stateful, const struct source_frame_state *state)
{
	if (request->frame.kind != frame->kind ||
	    !same_text(request->function, frame->function) ||
	    !same_text(request->file, frame->file))
		return false;
	return !stateful || !request->stateful ||
	       state->arguments == request->state.arguments ||
	       state->position > request->state.position;
}

/* Does the frame have a traceparent that is not the request's? A frame without
 * one tells nothing, because the function may have deleted the variable. */
static bool
is_traced_apart(const struct framed *framed,
		const struct framed_request *request, const struct frame *frame)
{
	char *header = header_of(framed, frame);
	bool apart = header && !same_text(header, request->header);

	free(header);
	return apart;
}

/* Does the coroutine to which the frame belonged live? */
static bool
coroutine_lives(const struct program *program,
		const struct framed_request *request)
{
	struct source_frame_state state;

	return where_frame_state(program, &request->frame, &state) &&
	       state.coroutine;
}

/* The thread's stack has this frame, or none if frame is NULL: ends the
 * requests whose frames it has left. */
static void
end_left(struct framed *framed, const struct frame *frame, bool with_coroutines)
{
	list_each(link, after, &framed->open) {
		struct framed_request *request =
			list_item(link, struct framed_request, link);

		if (frame && request->frame.at == frame->at)
			continue;
		if (!request->state.coroutine ||
		    (with_coroutines &&
		     !coroutine_lives(framed->program, request)))
			end(framed, request);
	}
}

static struct framed_request *
open_at(const struct framed *framed, addr_t at)
{
	list_each(link, after, &framed->open) {
		struct framed_request *request =
			list_item(link, struct framed_request, link);

		if (request->frame.at == at)
			return request;
	}
	return NULL;
}

void
request_frames_walked(struct program *program, struct thread_record *record,
		      const struct stack *stack, struct call *call)
{
	struct framed *framed = framed_of(program, record);
	struct request_frame *pattern =
		program->session->options->request_frame;
	const struct frame *frame = find_frame(pattern, stack);
	struct source_frame_state state = { 0 };
	struct framed_request *request = NULL;
	bool stateful = frame && where_frame_state(program, frame, &state);

	/* A stack that was not read to its end tells nothing. */
	if (frame || !stack->partial)
		end_left(framed, frame, false);
	if (frame) {
		request = open_at(framed, frame->at);
		if (request && (!is_same(request, frame, stateful, &state) ||
				is_traced_apart(framed, request, frame))) {
			end(framed, request);
			request = NULL;
		}
		if (!request && framed->count > 0)
			end_left(framed, frame, true);
		if (!request && framed->count >= FRAMED_MOST)
			end_all(framed);
		if (!request)
			request = begin(framed, record, frame, &call->event);
		request->stateful = stateful;
		request->state = state;
	}
	record->request = request ? request->told.id : 0;
	call->event.request = record->request;
}

static bool
has_plain(const struct framed *framed)
{
	list_each(link, after, &framed->open) {
		if (!list_item(link, struct framed_request, link)
			     ->state.coroutine)
			return true;
	}
	return false;
}

void
request_frames_look(const struct hit *hit)
{
	struct framed *framed = hit->record->framed;
	const struct native_start start = { .regs = &hit->regs,
					    .place = NATIVE_CALLED };
	struct request_frame *pattern = hit->session->options->request_frame;
	struct stack stack;
	struct arena arena;

	if (!has_plain(framed))
		return;
	arena_init(&arena);
	stack_init(&stack, &arena, STACK_SEARCHED_MOST);
	where_walk(hit->program, STACK_SCRIPT, &start, false, &stack);
	if (!stack.partial && !find_frame(pattern, &stack)) {
		end_left(framed, NULL, false);
		hit->record->request = 0;
	}
	arena_release(&arena);
}

void
request_frames_query_over(struct session *session, pid_t tid,
			  const struct event_call *query, uint64_t now)
{
	struct thread_record *record;

	if (!session->options->request_frame || !query->request)
		return;
	record = map_get(&session->records, (uint64_t)tid);
	if (!record || !record->framed)
		return;
	list_each(link, after, &record->framed->open) {
		struct framed_request *request =
			list_item(link, struct framed_request, link);

		if (request->told.id == query->request)
			session_measure(session, record->thread, now,
					&request->times);
	}
}

/* ---- ends ---------------------------------------------------------------- */

static void
thread_gone(struct thread_record *record)
{
	if (!record->framed)
		return;
	end_all(record->framed);
	free(record->framed);
	record->framed = NULL;
	record->request = 0;
}

static void
ends(struct program *program, enum call_end how)
{
	struct map *records = &program->session->records;
	size_t cursor = 0;
	void *value;

	(void)how;
	while (map_next(records, &cursor, NULL, &value)) {
		struct thread_record *record = value;

		if (record->framed && record->framed->program == program)
			thread_gone(record);
	}
}

const struct life request_frames_life = {
	.ends = ends,
	.thread_gone = thread_gone,
};

void
request_frames_say_unmatched(const struct session *session)
{
	const struct request_frame *pattern = session->options->request_frame;

	if (pattern && !pattern->found)
		say("--request-frame %s: no frame of a script in the stack of "
		    "a query matches it",
		    pattern->text);
}
