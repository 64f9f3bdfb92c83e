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

/* With --alloc, adds tracepoints at the functions that get or give back memory
 * to the batch of the C library. */
void grown_add(struct batch *batch);

/* What xtrace does when a function that gets memory is entered, and when its
 * call is over; tracer/model/rooms.h calls these functions. */
must_check int grown_entered(struct hit *hit, struct tracepoint *tracepoint,
			     addr_t return_address);
void grown_over(struct session *session, struct thread_record *record,
		struct call *call, enum call_end how);

#endif
