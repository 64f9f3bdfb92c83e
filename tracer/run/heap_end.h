/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --heap of a command: counts the objects of each process when its interpreter
 * begins to end, or when the process ends without that. All functions do
 * nothing if session->heap_ends is NULL.
 */
#ifndef TRACER_RUN_HEAP_END_H
#define TRACER_RUN_HEAP_END_H

#include "process/stop.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* Returns NULL unless --heap is given for a command. */
struct heap_ends *heap_ends_new(struct session *session);
/* ends may be NULL. */
void heap_ends_free(struct heap_ends *ends);

/* Adds the trap at the interpreter's end to the batch of its module. */
void heap_end_add(struct batch *batch);

/* A thread has entered the function that ends the interpreter: counts the
 * heap. */
must_check int heap_end_entered(struct hit *hit, struct tracepoint *tracepoint,
				addr_t return_address);

/* Called when the thread is about to end and its memory can still be read.
 * Counts the heap if the process ends with the thread, unless the heap was
 * counted before. */
void heap_end_thread_exits(struct session *session, struct thread *thread,
			   bool ends_process);

/* Writes the censuses that were not written yet. Call this after the threads
 * were left. */
void heap_ends_tell(struct session *session);

extern const struct life heap_end_life;

#endif
