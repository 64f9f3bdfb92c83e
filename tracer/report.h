/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a hit to what the sinks are told: a call begins, a call is over.
 */
#ifndef TRACER_REPORT_H
#define TRACER_REPORT_H

#include "tracer/session.h"

/* Where a thread stands at a site. */
struct moment {
	struct session *session;
	struct program *program;
	struct actor *actor;
	struct site *site;
	struct regs regs; /* as at the trap, pc at the site */
	uint64_t when;
};

/* The site's functions are entered: 0 or -ESRCH. */
must_check int report_entry(struct moment *moment);

/* What struct calls tells of a call that is over. */
void report_end(struct calls *calls, struct call *call, enum call_end how);

/* Tells the sinks, and writes what has piled up. */
void report_event(struct session *session, const struct event *event);

/* Something happened to a thread or process: kind, number, text as in
 * struct event. */
void report_plain(struct session *session, enum event_kind kind,
		  const struct thread *thread, int number, const char *text);

/* EVENT_START or EVENT_EXEC, with the path of the thread's program. */
void report_program(struct session *session, enum event_kind kind,
		    const struct thread *thread);

#endif
