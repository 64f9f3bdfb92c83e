/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes every event to the sinks. Events that are not calls are made here. If
 * a sink has written much, its output is flushed at once; if the trace cannot
 * be written, tracing ends.
 *
 * An entry whose frames have no names yet, or whose function has no prototype
 * yet, is told before any later event. This is usually done after the thread
 * was resumed, before the next stop.
 */
#include "tracer/report/report.h"

#include "conf/filter/tampering.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "output/out.h"
#include "output/tee.h"
#include "process/stop_times.h"
#include "tracer/model/interest.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/where.h"

#include <stdio.h>
#include <unistd.h>

void
report_tell(struct session *session, pid_t pid, pid_t tid, struct call *call,
	    enum event_kind kind, uint64_t when)
{
	const struct condition *measured = session->options->measured;
	struct event event = {
		.kind = kind,
		.when = when,
		.track = kind == EVENT_RETURN ? call->event.ended_track
					      : call->event.began_track,
		.pid = pid,
		.tid = tid,
		.call = &call->event,
	};

	if (measured && kind == EVENT_RETURN)
		call->event.is_measured =
			interest_number(measured, &call->event,
					&call->event.measured) == 0;
	report_event(session, &event);
}

static void
tell_entry(struct session *session, struct call *call)
{
	const struct open_call *open = report_open(call);

	report_tell(session, open->pid, open->tid, call, EVENT_ENTRY,
		    call->event.began);
}

void
report_complete(struct session *session)
{
	if (session->completion->runs || !report_incomplete(session))
		return;
	session->completion->runs = true;
	for (size_t i = 0; i < session->completion->unlearned.count; i++)
		call_arguments_learn(session->completion->unlearned.at[i]);
	for (size_t i = 0; i < session->completion->unnamed.count; i++)
		where_name(session->completion->unnamed.at[i]);
	for (size_t i = 0; i < session->completion->untold.count; i++) {
		if (!report_open(session->completion->untold.at[i])->elsewhere)
			tell_entry(session, session->completion->untold.at[i]);
	}
	for (size_t i = 0; i < session->completion->unprepared.count; i++)
		where_prepare(session->completion->unprepared.at[i]);
	vec_clear(&session->completion->unlearned);
	vec_clear(&session->completion->unnamed);
	vec_clear(&session->completion->untold);
	vec_clear(&session->completion->unprepared);
	session->completion->runs = false;
	stop_times_end();
}

void
report_event(struct session *session, const struct event *event)
{
	report_complete(session);
	tee_event(session->tee, event);
	for (struct out **out = session->outs; *out; out++) {
		out_flush(*out, true);
		/* The reader has closed its end or the disk is full: stop
		 * tracing. */
		if (out_error(*out) < 0)
			atomic_store(&session->clockwork->leave, true);
	}
}

static struct event
plain(struct session *session, enum event_kind kind, struct thread *thread)
{
	return (struct event){
		.kind = kind,
		.when = session_now(session),
		.track = session_track(session, thread, session_now(session)),
		.pid = thread->process->pid,
		.tid = thread->tid,
	};
}

void
report_plain(struct session *session, enum event_kind kind,
	     struct thread *thread, int number, const char *text)
{
	struct event event = plain(session, kind, thread);

	event.number = number;
	event.text = text;
	report_event(session, &event);
}

/* Tells the sinks, once, or for each process if each has its own file, what
 * --inject changes. */
static void
tell_tamperings(struct session *session, struct thread *thread)
{
	const struct options *options = session->options;

	if (session->told_tamperings && !options->split)
		return;
	session->told_tamperings = true;
	for (size_t i = 0; i < options->tamperings.count; i++)
		report_plain(session, EVENT_TAMPERING, thread, 0,
			     options->tamperings.at[i]->text);
}

/* The text of the thread's control groups; NULL if it is not wanted or not
 * known. The caller frees it. */
static char *
groups_of(const struct session *session, pid_t tid)
{
	char path[64], *text;

	if (!session->options->formats[FORMAT_OTLP].wanted)
		return NULL;
	snprintf(path, sizeof(path), "/proc/%d/cgroup", tid);
	return fd_read_file(path, &text, NULL) == 0 ? text : NULL;
}

void
report_program(struct session *session, enum event_kind kind,
	       struct thread *thread)
{
	char link[64], path[4096];
	cleanup(freep) char *groups = groups_of(session, thread->tid);
	struct event event;
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", thread->tid);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	if (kind == EVENT_START)
		tell_tamperings(session, thread);
	event = plain(session, kind, thread);
	event.text = path;
	event.groups = groups;
	report_event(session, &event);
}
