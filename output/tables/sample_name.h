/* SPDX-License-Identifier: GPL-2.0-or-later */
/* By which row of a table the time of a sample is counted: by a line of the
 * program ("where"), or by a function. */
#ifndef OUTPUT_TABLES_SAMPLE_NAME_H
#define OUTPUT_TABLES_SAMPLE_NAME_H

#include "base/str.h"
#include "output/event.h"

/* Is this frame a mark, such as "[GC]"? */
bool sample_is_mark(const struct frame *frame);
/* The frame to whose row the time of the sample belongs. It is not a mark,
 * unless the sample has no other frame. NULL: it has no frame. */
const struct frame *sample_inner(const struct event_call *call, bool where);
/* Adds the name of the frame's row. */
void sample_add_frame(struct str *to, const struct frame *frame, bool where);
/* Adds the name of the row of the sample's own time: of its inner frame, or
 * "[GC] user.py:42 in find", or "?". */
void sample_add_name(struct str *to, const struct event_call *call, bool where);

#endif
