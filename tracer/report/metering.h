/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With --engine=agent, if only sums of calls are wanted (-c), calls are counted
 * inside the program (arch/meter.h, agent/area.h). A function that is called
 * often gets a meter at its entry, and a return address to which many of its
 * calls return gets one there. What a meter does not count is a hit as always.
 * The same is done if only some calls are shown (--min-time, --if): a call that
 * is certainly not shown passes, and every other one stops at its return.
 *
 * A call that a meter has begun may have to be ended by xtrace: its thread does
 * not return, or returns in a way that the meter does not understand. So
 * whenever a thread stops at a hit or for a signal, its open calls are taken
 * out of its block, and are calls of tracer/model/calls from then on.
 */
#ifndef TRACER_REPORT_METERING_H
#define TRACER_REPORT_METERING_H

#include "agent/area.h"
#include "tracer/report/report.h"

struct life;
struct program;

/* Can the calls of this session be counted inside? */
bool metering_possible(const struct session *session);

/* Are only some calls of this session shown, so that other calls may be left
 * out inside? */
bool metering_selects(const struct session *session);

/* Reads the counter and the clock, when a session with meters begins. */
void metering_begin(struct session *session);

/* Which kind of data about calls the areas of this session contain. */
enum area_kind metering_area_kind(const struct session *session);

/* A thread is at a hit, and the owners of the site have not acted yet. */
void metering_hit(struct hit *hit);
/* The owners of the site have acted, and the thread is about to be resumed. */
void metering_resume(struct hit *hit);

/* Do threads pass the site of the hit without a stop, or may they do so once
 * the site has been hit more often? */
must_check bool metering_may_come(const struct hit *hit);

/* A function was entered at the hit; or a call has returned at it. The site may
 * get a meter. Returns 0 or -ESRCH. */
must_check int metering_entered(struct hit *hit);
must_check int metering_returned(struct hit *hit);

/*
 * The thread has stopped, and not at a hit. If it was in a meter, it was moved
 * out of it, and `written` is what it had written there. Its calls are not
 * counted until its next hit.
 */
void metering_stopped(struct session *session, struct thread_record *record,
		      enum meter_written written);
/* The thread is about to call exec: closes its block and reads it, because the
 * block vanishes with the memory. Returns 0. */
int metering_before_exec(struct hit *hit);
/* True if the SIGSEGV or SIGBUS that is about to be delivered to this thread
 * was caused by a meter's own code, so that the program must not get it. All
 * meters of the program are then removed. */
bool metering_faulted(struct session *session, struct thread_record *record);
/* The thread ends, or its memory may soon be replaced by an exec: reads its
 * block, and takes its open calls out of it. */
void metering_ends(struct session *session, struct thread_record *record);
/* xtrace leaves: no meter is planted any more. */
void metering_leave(struct session *session);
/* A connection or a statement begins anew, or ends: the next query of this
 * handle is followed by xtrace itself. */
void metering_drop_handle(struct program *program, uint64_t handle);
/* The thread has stopped where it sends, receives or waits on the connection of
 * this handle outside of the query's calls: xtrace follows the query from now
 * on. */
void metering_tell_query(struct hit *hit, uint64_t handle);
/* Called once per second: reads what was counted. */
void metering_tick(struct session *session);

extern const struct life metering_life;

#endif
