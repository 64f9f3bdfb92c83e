/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The stacks of all threads, once, during the trace: the key t of --live. The
 * sinks get an EVENT_STACK for each thread. A thread that blocks is not
 * stopped. The other functions do nothing before all_stacks_take().
 */
#ifndef TRACER_SAMPLER_ALL_STACKS_H
#define TRACER_SAMPLER_ALL_STACKS_H

#include "process/stop.h"
#include "tracer/model/session.h"

/* Tells the stacks of the threads that block, and interrupts threads that run.
 * Called between two stops. */
void all_stacks_take(struct session *session);

/* A thread has stopped, and was not resumed yet. Walks it if its stack is
 * wanted, unless it has trapped. */
void all_stacks_stopped(struct session *session, const struct stop *stop);

/* A thread has trapped, and was not resumed yet. Walks it if its stack is
 * wanted. regs: its registers, with the pc that it would have without xtrace.
 */
void all_stacks_trapped(struct session *session, struct thread *thread,
			const struct regs *regs);

/* Before each wait of the loop: observes again threads whose stack is wanted.
 * Names and tells the stacks of threads that run again. */
void all_stacks_work(struct session *session);
/* When all_stacks_work() is to be called next; 0: it has nothing to do. */
uint64_t all_stacks_next(const struct session *session);

/* all_stacks may be NULL. */
void all_stacks_free(struct all_stacks *all_stacks);

#endif
