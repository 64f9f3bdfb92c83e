/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events to the sinks, whatever they are of; those that are no calls are made
 * here. What a sink has written is handed on at once if it is much: a trace
 * that cannot be written is over.
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
		/* Nobody reads it, or there is no room: no use in going on. */
		if (out_error(*out) < 0)
			atomic_store(&session->clockwork->leave, true);
	}
}

void
report_plain(struct session *session, enum event_kind kind,
	     const struct thread *thread, int number, const char *text)
{
	struct event event = {
		.kind = kind,
		.when = session_now(session),
		.pid = thread->process->pid,
		.tid = thread->tid,
		.number = number,
		.text = text,
	};

	report_event(session, &event);
}

void
report_program(struct session *session, enum event_kind kind,
	       const struct thread *thread)
{
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", thread->tid);
	n = readlink(link, path, sizeof(path) - 1);
	path[n > 0 ? n : 0] = '\0';
	report_plain(session, kind, thread, 0, path);
}
