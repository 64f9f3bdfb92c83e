/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The frames of a call (-w) as text. */
#ifndef OUTPUT_FRAMES_H
#define OUTPUT_FRAMES_H

#include "base/str.h"
#include "output/event.h"
#include "stacks/stack.h"

/*
 * Adds "\n    user.py:42 in find" for each frame, which is written below the
 * line of the call.
 */
void frames_add(struct str *to, const struct event_call *call);

/* Adds the frames in ltrace's form, "\n > /bin/sh(find+0x1c) [401c1c]", with
 * the source line below if it is known, and an empty line behind the last one.
 * A frame of a script, and what is left out, have the form of frames_add(). */
void frames_add_as_ltrace(struct str *to, const struct event_call *call);

/* Adds what an EVENT_STACK tells: "thread 4712 of 4711 (name), blocked", and
 * its frames as frames_add() does. */
void frames_add_thread(struct str *to, const struct event *event);

/* Adds "find (user.py:42)", the name of a frame in a picture. */
void frames_add_label(struct str *to, const struct frame *frame);

/* Adds the name of a frame's function: "find", or "send@libc.so.6". */
void frames_add_function(struct str *to, const struct frame *frame);
/* Adds "user.py:42 in find", without an offset in the function, so that all
 * samples in one line have the same text. */
void frames_add_where(struct str *to, const struct frame *frame);

/* How many of the call's frames do not belong to the call around it, whose
 * innermost frame was at `around` (0: there is no such call). */
unsigned frames_within(const struct event_call *call, addr_t around);

/*
 * The innermost frame that is not in an installed package: the line of the
 * program itself, not of the driver, and the function around this line. If all
 * are in packages or native, the innermost frame. NULL: there is no frame.
 */
const struct frame *frames_asking(const struct event_call *call);

/* Adds one frame, without a newline and blanks before it. */
void frames_add_one(struct str *to, const struct frame *frame);

#endif
