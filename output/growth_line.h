/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The line of the program that a growth belongs to (--alloc): the innermost
 * line of a script, or without a script the innermost frame that is not in the
 * library of an allocator.
 */
#ifndef OUTPUT_GROWTH_LINE_H
#define OUTPUT_GROWTH_LINE_H

#include "base/str.h"
#include "output/event.h"

/* Adds the line, like frames_add_where(), or "?" if the call has no frames. */
void growth_line_add(struct str *to, const struct event_call *call);

#endif
