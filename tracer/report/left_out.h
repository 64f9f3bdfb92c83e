/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --budget: functions whose calls cost the traced threads too much are left out
 * for a while. A function that is left out has no traps, so it costs nothing.
 * What is left out together is an item: a function by its name, in all modules
 * and processes; or everything that the queries of --set are made of.
 *
 * All functions do nothing if session->left_out is NULL.
 */
#ifndef TRACER_REPORT_LEFT_OUT_H
#define TRACER_REPORT_LEFT_OUT_H

#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* Returns NULL if --budget is not given. */
struct left_out *left_out_new(struct session *session);
/* left_out may be NULL. */
void left_out_free(struct left_out *left_out);

/* Everything is planted: from now on, the time for which threads are held
 * counts. */
void left_out_begin(struct session *session);
/* Before each wait of the loop: ends the breaks whose time is over. */
void left_out_work(struct session *session);
/* When left_out_work() is to be called next; 0: it has nothing to do. */
uint64_t left_out_next(const struct session *session);
/* Called once a second. */
void left_out_tick(struct session *session);
/* Tells the sinks for how long each item was left out. Call this before the
 * threads are left. */
void left_out_end(struct session *session);
/* The sinks are about to be told that a process has ended, or that xtrace has
 * left it while other processes are traced. If the process has a file of its
 * own, the file gets the times for which each item was left out. */
void left_out_process_ends(struct session *session, pid_t pid);

/* A thread has stopped: what its last stop has cost belongs to the item of that
 * stop. site: where the thread is, or NULL if it is at no site. */
void left_out_stopped(struct session *session, struct thread_record *record,
		      const struct site *site);

/* A thread has entered the functions of a site. Returns true if all of them are
 * left out; the trap is then removed now, or at one of its next hits. */
must_check bool left_out_lifts(struct hit *hit);
/* Is this function left out now? */
must_check bool left_out_skips(const struct tracepoint *tracepoint);

/* Prints what the stops have cost (--stats). */
void left_out_say_cost(const struct session *session);
/* Prints which items were left out for a part of the time. */
void left_out_say(const struct session *session);

extern const struct life left_out_life;

#endif
