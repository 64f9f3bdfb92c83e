/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clockwork is the main thread while another one traces: it waits for our
 * own signals and for time to pass, sets flags, and pokes the tracing thread
 * out of its wait. A ptracer is a thread, and leaving by that thread's exit
 * disturbs no tracee, so the tracing is done in one that can end.
 */
#ifndef TRACER_MODEL_CLOCKWORK_H
#define TRACER_MODEL_CLOCKWORK_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct clockwork {
	pthread_t tracing, waiting;
	/* Set here, answered by the tracing thread. */
	atomic_bool leave; /* let all go */
	atomic_bool tick;  /* a second has passed */
	atomic_bool
		begun; /* set by the tracing thread: time counts from then */
	atomic_bool finished;  /* set by the tracing thread at its end */
	atomic_int broken;     /* its tid when it died: trust no memory */
	atomic_int interrupts; /* ^C that came while a command runs */
	bool has_command;
	uint64_t duration; /* 0: no end; in ns */
	sigset_t signals;  /* those that we wait for */
	int ended_by;	   /* the signal that made us leave, or 0 */
};

/* Blocks the signals in this thread and those it will start. Call once,
 * before any thread is made. */
void clockwork_init(struct clockwork *clockwork, bool has_command,
		    uint64_t duration);
/* Said by the tracing thread when everything is planted, and at its end. */
void clockwork_begin(struct clockwork *clockwork);
void clockwork_finish(struct clockwork *clockwork);
/* A last act of the tracing thread, which then ends. */
void clockwork_break(struct clockwork *clockwork);
/* Runs until the tracing thread has finished, or is broken. */
void clockwork_run(struct clockwork *clockwork);

/* Signals mean to us again what they mean to others. */
void clockwork_end(struct clockwork *clockwork);

#endif
