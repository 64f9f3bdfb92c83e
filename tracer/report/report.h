/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes events of hits and tells the sinks: a call begins, a call ends.
 */
#ifndef TRACER_REPORT_REPORT_H
#define TRACER_REPORT_REPORT_H

#include "process/stop_times.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"
#include "tracer/report/completion.h"
#include "values/capture.h"

/* A thread has reached a site. */
struct hit {
	struct session *session;
	struct program *program;
	struct thread_record *record;
	struct site *site;
	/* the registers as at the trap, with the pc at the site */
	struct regs regs;
	uint64_t when;
	/* The call began before xtrace attached: the thread is inside it and
	 * not stopped. regs holds what could be reconstructed of the registers
	 * at the entry. A bit set in unknown means that this integer argument
	 * is not known. */
	bool before;
	unsigned unknown;
	/* The arguments of a system call, as in struct registers; or NULL. */
	const uint64_t *system_call;
	/* The thread will run into this trap once more (a trial stop). */
	bool trial;
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

/* The result of the function from which the thread returns. */
static inline uint64_t
hit_result(const struct hit *hit)
{
	return hit_calling(hit)->result(&hit->regs);
}

/* The end of a call that was entered and has returned inside the program. The
 * call is told later, because it began a query
 * (tracer/report/metering_queries.c). */
struct ended_inside {
	uint64_t duration; /* its own time, in ns */
	int64_t result;
	/* of all calls of the query so far: their time, and their number */
	uint64_t total, count;
	bool walked; /* its stack was walked */
	/* Another call of the query has returned now, so what accessors say of
	 * the handle may have changed since this call returned. */
	bool changed;
	/* The accessor whose value for the result is `value`; NULL: not known.
	 * The object to which the result leads may be freed by now. */
	const char *accessor;
	uint64_t value;
	/* The function of the query whose call has returned last, if it is
	 * another one, with its handle and its result; or NULL. */
	const struct tracepoint *last;
	uint64_t handle;
	int64_t last_result;
};

/* What this room stores for a call, in the call's arena. */
struct open_call {
	struct tracepoint *tracepoint;
	struct program *program;
	struct capture entry, after;
	bool held; /* the call is shown only if --if holds at its end */
	/* the call is not shown, because it is about no file of -P */
	bool elsewhere;
	bool inherited; /* a call of the parent, see inherited.h */
	bool kept; /* the call was entered inside the program, see metering.h */
	const struct ended_inside *ended; /* or NULL */
	pid_t pid, tid;
	void *own; /* data of the behaviour of tracepoint->kind, or NULL */
};

static inline struct open_call *
report_open(const struct call *call)
{
	return call->user;
}

/* ---- what behaviours are made of --------------------------------------------
 */

/*
 * Begins a call: makes sure that its return site is planted, and enters the
 * call in the list of the thread's calls. Returns 0, -ESRCH, or another
 * negative errno if the return cannot be watched (-ENOTSUP: no trap may be
 * planted there).
 */
must_check int report_begin(struct hit *hit, struct tracepoint *tracepoint,
			    addr_t return_address, struct call **ret_call);

/* As report_begin(), for a call that may be shown: fetches its arguments, too.
 * If the return cannot be watched, the call is reported as an entry only. */
must_check int report_begin_shown(struct hit *hit,
				  struct tracepoint *tracepoint,
				  addr_t return_address,
				  struct call **ret_call);
void report_tell_entry(const struct hit *hit, struct call *call);

/* A call that was begun inside the program is from now on one of the thread's
 * calls. Its times are set to now. */
struct call *report_begin_counted(struct hit *hit,
				  struct tracepoint *tracepoint, addr_t sp,
				  addr_t return_address);

/* Something begins within the function that runs: a system call, whose
 * arguments are in hit->regs where those of a function are, or an SDT probe. It
 * is then the last of the thread's calls; the caller ends it. */
void report_begin_inside(struct hit *hit, struct tracepoint *tracepoint);

/* A function of a script begins. It is the last of the thread's calls, and the
 * caller ends it by calls_end(). */
struct call *report_begin_script(struct hit *hit,
				 struct tracepoint *tracepoint);

/* The call has ended: stores in its event the duration, how it ended and, if it
 * returned, the result. */
void report_take_end(struct session *session, struct thread_record *record,
		     struct call *call, enum call_end how);

/* ---- the behaviours of this room, see tracer/model/rooms.h ------------------
 */

must_check int report_call_entered(struct hit *hit,
				   struct tracepoint *tracepoint,
				   addr_t return_address);
void report_call_over(struct session *session, struct thread_record *record,
		      struct call *call, enum call_end how);
must_check int report_resolver_entered(struct hit *hit,
				       struct tracepoint *tracepoint,
				       addr_t return_address);
void report_resolver_over(struct session *session, struct thread_record *record,
			  struct call *call, enum call_end how);
must_check int report_jump(struct hit *hit);
must_check int report_filled(struct hit *hit);

/* ---- hits and events --------------------------------------------------------
 */

/* A thread has entered the functions of the site. Returns 0 or -ESRCH. */
must_check int report_entry(struct hit *hit);

/* The hit is a call that began before xtrace attached. Returns 0 or -ESRCH. */
must_check int report_in_flight(struct hit *hit, struct tracepoint *tracepoint,
				addr_t return_address);

/* Called by struct calls when a call has ended. */
void report_end(struct calls *calls, struct call *call, enum call_end how);

/* Gives the event to the sinks, and writes out what they have buffered if it is
 * much. */
void report_event(struct session *session, const struct event *event);

/* Tells the sinks of a call. */
void report_tell(struct session *session, pid_t pid, pid_t tid,
		 struct call *call, enum event_kind kind, uint64_t when);

/* The call ended at `now`. Tells the sinks its end if the call is to be shown,
 * after its entry if the entry was held back. */
void report_over(struct session *session, pid_t pid, pid_t tid,
		 struct call *call, bool *held, uint64_t now);

/* Is there anything to do for report_complete()? */
static inline bool
report_incomplete(const struct session *session)
{
	return session->completion->unlearned.count > 0 ||
	       session->completion->unnamed.count > 0 ||
	       session->completion->unprepared.count > 0;
}

/* Call this before work is left for report_complete(). */
static inline void
report_later(const struct session *session)
{
	if (!report_incomplete(session))
		stop_times_begin();
}

/*
 * Fetches the arguments of the calls in session->completion->unlearned, and
 * names the frames of the calls in session->completion->unnamed. Then tells the
 * sinks of the entries of these calls. All later events wait until this is
 * done. Call this when the threads were resumed.
 */
void report_complete(struct session *session);

/* Something happened to a thread or a process: kind, number and text are as in
 * struct event. */
void report_plain(struct session *session, enum event_kind kind,
		  struct thread *thread, int number, const char *text);

/* EVENT_START or EVENT_EXEC, with the path of the thread's program. */
void report_program(struct session *session, enum event_kind kind,
		    struct thread *thread);

#endif
