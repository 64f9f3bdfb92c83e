/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The behaviour of an SDT probe (tracer/model/rooms.h): a hit is a call that
 * ends where it begins. */
#ifndef TRACER_REPORT_SDT_HIT_H
#define TRACER_REPORT_SDT_HIT_H

#include "base/addr.h"
#include "base/attr.h"

struct hit;
struct tracepoint;

/* A thread has reached the probe. Returns 0. */
must_check int sdt_entered(struct hit *hit, struct tracepoint *tracepoint,
			   addr_t return_address);

#endif
