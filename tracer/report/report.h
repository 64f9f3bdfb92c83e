/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From a hit to what the sinks are told: a call begins, a call is over.
 */
#ifndef TRACER_REPORT_REPORT_H
#define TRACER_REPORT_REPORT_H

#include "tracer/model/rooms.h"
#include "tracer/model/session.h"
#include "values/capture.h"

/* Where a thread stands at a site. */
struct hit {
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

static inline const struct arch_calling *
hit_calling(const struct hit *hit)
{
	return hit->program->space->arch->calling;
}

/* Integer argument i, 0 to 5, of the function that the thread has entered. */
static inline uint64_t
hit_argument(const struct hit *hit, unsigned i)
{
	return hit_calling(hit)->argument(&hit->regs,
					  program_memory(hit->program), i);
}

/* What the function has returned that the thread comes from. */
static inline uint64_t
hit_result(const struct hit *hit)
{
	return hit_calling(hit)->result(&hit->regs);
}

/* What report keeps of a call, in the call's arena. */
struct open_call {
	struct tracepoint *tracepoint;
	struct program *program;
	struct capture entry, after;
	bool held; /* told only if it proves to be of interest at its end */
	pid_t pid, tid;
	void *own; /* what belongs to the behaviour of traced->kind, or NULL */
};

static inline struct open_call *
report_open(const struct call *call)
{
	return call->user;
}

/* ---- what behaviours are made of --------------------------------------------
 */

/*
 * Begins a call: its return site is made sure of, and the thread's calls take
 * it up. 0; -ESRCH; or another negative errno if its return cannot be watched
 * (-ENOTSUP: no trap may be put there).
 */
must_check int report_begin(struct hit *hit, struct tracepoint *tracepoint,
			    addr_t return_address, struct call **ret_call);

/* The same with the arguments fetched, for a call that may be shown. If its
 * return cannot be watched, it is told as an entry only. */
must_check int report_begin_shown(struct hit *hit,
				  struct tracepoint *tracepoint,
				  addr_t return_address,
				  struct call **ret_call);
void report_tell_entry(const struct hit *hit, struct call *call);

/* The call is over: its duration, how it ended and, if it returned, its result
 * become the event's. */
void report_take_end(struct session *session, struct actor *actor,
		     struct call *call, enum call_end how);

/* ---- the behaviours of this room, see tracer/model/rooms.h ------------------
 */

must_check int report_call_entered(struct hit *hit,
				   struct tracepoint *tracepoint,
				   addr_t return_address);
void report_call_over(struct session *session, struct actor *actor,
		      struct call *call, enum call_end how);
must_check int report_resolver_entered(struct hit *hit,
				       struct tracepoint *tracepoint,
				       addr_t return_address);
void report_resolver_over(struct session *session, struct actor *actor,
			  struct call *call, enum call_end how);
must_check int report_jump(struct hit *hit);
must_check int report_filled(struct hit *hit);

/* ---- hits and events --------------------------------------------------------
 */

/* The site's functions are entered: 0 or -ESRCH. */
must_check int report_entry(struct hit *hit);

/* The moment's is a call that was begun before us: 0 or -ESRCH. */
must_check int report_in_flight(struct hit *hit, struct tracepoint *tracepoint,
				addr_t return_address);

/* What struct calls tells of a call that is over. */
void report_end(struct calls *calls, struct call *call, enum call_end how);

/* Tells the sinks, and writes what has piled up. */
void report_event(struct session *session, const struct event *event);

/* The call is over at now: tells its end to whom it is of interest, and,
 * where it was held back until now, its beginning. */
void report_over(struct session *session, pid_t pid, pid_t tid,
		 struct call *call, bool *held, uint64_t now);

/* Something happened to a thread or process: kind, number, text as in
 * struct event. */
void report_plain(struct session *session, enum event_kind kind,
		  const struct thread *thread, int number, const char *text);

/* EVENT_START or EVENT_EXEC, with the path of the thread's program. */
void report_program(struct session *session, enum event_kind kind,
		    const struct thread *thread);

#endif
