/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes every event to the sinks. Events that are not calls are made here. If
 * a sink has written much, its output is flushed at once; if the trace cannot
 * be written, tracing ends.
 */
#include "tracer/report/report.h"

#include "output/out.h"
#include "output/tee.h"

#include <stdio.h>
#include <unistd.h>

void
report_event(struct session *session, const struct event *event)
{
	tee_event(session->tee, event);
	for (struct out **out = session->outs; *out; out++) {
		out_flush(*out, true);
		/* The reader has closed its end or the disk is full: stop
		 * tracing. */
		if (out_error(*out) < 0)
			atomic_store(&session->clockwork->leave, true);
	}
}

void
report_plain(struct session *session, enum event_kind kind,
	     struct thread *thread, int number, const char *text)
{
	struct event event = {
		.kind = kind,
		.when = session_now(session),
		.track = session_track(session, thread, session_now(session)),
		.pid = thread->process->pid,
		.tid = thread->tid,
		.number = number,
		.text = text,
	};

	report_event(session, &event);
}

void
report_program(struct session *session, enum event_kind kind,
	       struct thread *thread)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", thread->tid);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	report_plain(session, kind, thread, 0, path);
}
