/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a call (-w), written down. */
#ifndef OUTPUT_FRAMES_H
#define OUTPUT_FRAMES_H

#include "base/str.h"
#include "output/event.h"
#include "stacks/stack.h"

/*
 * "\n    user.py:42 in find" for each of them, as they stand below the line of
 * their call.
 */
void frames_add(struct str *to, const struct event_call *call);

/* "find (user.py:42)", as a frame of a picture is called. */
void frames_add_label(struct str *to, const struct frame *frame);

/* How many of the call's frames are not those of a call around it, of which
 * the innermost was at `around` (0: there is none). */
unsigned frames_within(const struct event_call *call, addr_t around);

/*
 * The innermost frame that is of no installed package: the program's own line
 * that asks, not the driver's. Where all are of packages, or native, it is the
 * innermost; NULL: there is none.
 */
const struct frame *frames_asking(const struct event_call *call);

/* One frame, without the line's beginning. */
void frames_add_one(struct str *to, const struct frame *frame);

#endif
