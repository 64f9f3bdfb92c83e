/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What xtrace knows about a thread. What only one room needs is in a struct of
 * that room, which makes and frees it, or in a small struct of this header.
 */
#ifndef TRACER_MODEL_RECORD_H
#define TRACER_MODEL_RECORD_H

#include "process/thread.h"
#include "tracer/model/calls.h"
#include "tracer/model/rehits.h"

#include <stdbool.h>
#include <stdint.h>

struct budgeted;
struct connecting;
struct framed;
struct metered;
struct sampled;
struct sigtrap;

/* The system call that a thread is in, if it is shown (tracer/system_calls). */
struct system_call_open {
	bool open;
	/* An interrupt of xtrace has ended the call, and the thread perhaps
	 * continues it: its end is not told yet. */
	bool held;
	bool foreign; /* as in struct system_call_stop (process/system_call.h)
		       */
	long number;
	addr_t pc;
	int64_t result;	   /* the result of the call, if held */
	addr_t old_action; /* see sigtrap_action_told(), or 0 */
};

/* What a thread's stops have cost, for --budget. */
struct thread_cost {
	bool counted;	  /* the thread has a stop that counts */
	uint64_t charged; /* how much of thread->held.spent was charged */
	uint64_t recent;  /* how much of it since the last second */
	/* to what the cost of the thread's last stop belongs */
	struct budgeted *to;
};

struct thread_record {
	struct thread *thread;
	struct calls calls;
	bool stack_known;
	/*
	 * the thread is of a process that is not followed: its hits are not
	 * shown
	 */
	bool silent;
	/* the thread has left by longjmp, and no hit was seen since */
	bool jumped;
	bool ending; /* it has announced its end, and runs no more code */
	/* id of the request that the thread answers (struct event_call) */
	uint64_t request;
	struct framed *framed; /* state of tracer/queries/request_frames */
	bool mixes; /* the thread answers several requests at the same time */
	struct connecting *connecting; /* state of tracer/queries/connecting */
	struct rehits rehits;
	bool tried; /* a trial stop has followed the thread's last hit */
	/* The pc at which the thread has stopped in a slot, after the slot's
	 * first instruction. */
	addr_t interrupted_at;
	struct sigtrap *sigtrap; /* state of tracer/sigtrap */
	struct sampled *sampled; /* state of tracer/sampler, or NULL */
	/* tracer/report/metering; NULL: its calls are not counted inside */
	struct metered *metered;
	/* the thread has no block for its calls, because there was no room; it
	 * is in counts.threads_refused already */
	bool not_metered;
	struct system_call_open system_call;
	/* the thread is delayed in the system call that it begins */
	bool call_delayed;
	struct thread_cost cost; /* state of tracer/report/left_out */
};

#endif
