/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clockwork is the main thread, while another thread traces. The clockwork
 * waits for signals to xtrace and for time to pass, sets flags, and sends the
 * tracing thread a signal that ends its wait. For the kernel, the tracer is a
 * thread, not a process. If this thread exits, its tracees run on undisturbed.
 * So the tracing runs in a thread that can end without the process.
 */
#ifndef TRACER_MODEL_CLOCKWORK_H
#define TRACER_MODEL_CLOCKWORK_H

#include "base/attr.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct console;
struct notify;

/* What SIGHUP does in a service. */
struct reload {
	/* Called in the main thread when SIGHUP has arrived: can xtrace begin
	 * anew? If it returns false, only the files of the trace are opened
	 * anew. NULL: SIGHUP does not reload. */
	bool (*check)(void *argument);
	void *argument;
	/* the service manager */
	const struct notify *manager;
};

struct clockwork {
	pthread_t tracing, waiting;
	uint64_t told; /* when `leave` was seen first, or 0 */
	/* The following flags are set by the main thread and read by the
	 * tracing thread. */
	atomic_bool leave;  /* xtrace must leave all processes */
	atomic_bool tick;   /* a second has passed */
	atomic_bool reopen; /* open the files of the trace anew */
	atomic_bool draw;   /* make a new page for the console */
	/* A process has begun that is to be traced (--follow-new). Set by the
	 * thread that looks for newcomers. */
	atomic_bool arrival;
	/* set by the tracing thread: the duration counts from then on */
	atomic_bool begun;
	atomic_bool finished;  /* set by the tracing thread at its end */
	atomic_int broken;     /* tid of the tracing thread that crashed: trust
				* no memory */
	atomic_int interrupts; /* how often ^C came while a command runs */
	bool has_command;
	bool reopens; /* SIGHUP asks to reopen files, and does not end us */
	struct reload reload;
	bool ready;	   /* the service manager knows that we have begun */
	bool again;	   /* xtrace leaves to begin anew */
	uint64_t duration; /* in ns; 0: no limit */
	sigset_t signals;  /* the signals that the main thread waits for */
	int ended_by;	   /* the signal that ended tracing, or 0 */
	/* The timer of clockwork_wake_at(); only the tracing thread touches
	 * it. */
	timer_t timer;
	bool has_timer;
	uint64_t wake; /* the time of the timer, or 0 */
	/* The terminal of --live, which the main thread serves, or NULL. */
	struct console *console;
	int signals_ready; /* with a console: readable if a signal waits */
};

/* Blocks the signals in this thread and in the threads that it will start. Call
 * once, before any thread is started. */
void clockwork_init(struct clockwork *clockwork, bool has_command,
		    uint64_t duration);
/* The main thread serves the console, too. Call before clockwork_run(). */
void clockwork_serve(struct clockwork *clockwork, struct console *console);
/* Called by the tracing thread when it has made a new page for the console. */
void clockwork_show(struct clockwork *clockwork);
/* Called by the tracing thread: the first function when everything is planted,
 * the second one when the tracing ends. */
void clockwork_begin(struct clockwork *clockwork);
void clockwork_finish(struct clockwork *clockwork);
/* Called by the thread that looks for newcomers, when it has found one. */
void clockwork_arrive(struct clockwork *clockwork);
/* The last function that a tracing thread calls after it has crashed. */
void clockwork_break(struct clockwork *clockwork);
/*
 * Called by the tracing thread. Its next wait ends with -EINTR when clock_now()
 * reaches `when`, or at once if `when` is in the past; so do all later waits
 * until this is called with another time. If `when` is 0, no wait is ended any
 * more. The first call makes the timer. Returns 0 or -errno.
 */
must_check int clockwork_wake_at(struct clockwork *clockwork, uint64_t when);
/* Runs until the tracing thread has finished or crashed. */
void clockwork_run(struct clockwork *clockwork);

/* Restores the default effect of the signals. */
void clockwork_end(struct clockwork *clockwork);

#endif
