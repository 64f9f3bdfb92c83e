/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of the C library that get memory from the kernel or give it
 * back. Allocators call them when what they have is not enough.
 */
#ifndef TRACER_ALLOCS_GROWN_H
#define TRACER_ALLOCS_GROWN_H

#include "base/attr.h"
#include "tracer/model/rooms.h"

struct batch;

/* Adds their traps to the batch of the C library, with --alloc. */
void grown_add(struct batch *batch);

/* The behaviours, see tracer/model/rooms.h. */
must_check int grown_entered(struct hit *hit, struct tracepoint *tracepoint,
			     addr_t return_address);
void grown_over(struct session *session, struct thread_record *record,
		struct call *call, enum call_end how);

#endif
