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
	/* The call was begun before we came: the thread is within it, and not
	 * stopped. regs are what could be put together of its entry, without
	 * those of its integer arguments that have a bit in unknown. */
	bool before;
	unsigned unknown;
};

/* The site's functions are entered: 0 or -ESRCH. */
must_check int report_entry(struct moment *moment);

/* The moment's is a call that was begun before us: 0 or -ESRCH. */
must_check int report_in_flight(struct moment *moment, struct traced *traced,
				addr_t return_address);

/* What struct calls tells of a call that is over. */
void report_end(struct calls *calls, struct call *call, enum call_end how);

/* Tells the sinks, and writes what has piled up. */
void report_event(struct session *session, const struct event *event);

/* The call is over at now: tells its end to whom it is of interest, and,
 * where it was held back until now, its beginning. */
void report_over(struct session *session, pid_t pid, pid_t tid,
		 struct call *call, bool *held, uint64_t now);

/* What belongs to a probe, in a call of ours. */
struct probing *report_probing(const struct call *call);
/* A call that was taken (see struct call) is over: told, and freed. */
void report_span(struct session *session, struct call *call, enum call_end how,
		 uint64_t now);

/* Something happened to a thread or process: kind, number, text as in
 * struct event. */
void report_plain(struct session *session, enum event_kind kind,
		  const struct thread *thread, int number, const char *text);

/* EVENT_START or EVENT_EXEC, with the path of the thread's program. */
void report_program(struct session *session, enum event_kind kind,
		    const struct thread *thread);

#endif
