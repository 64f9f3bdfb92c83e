/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * By lines, the time of a stack belongs to its innermost line of a script: what
 * the interpreter and C libraries did for this line is a part of it. Without a
 * script it belongs to the innermost frame. The time of a mark has rows of its
 * own, one for each line.
 */
#include "output/tables/sample_name.h"

#include "base/escape.h"
#include "output/frames.h"

bool
sample_is_mark(const struct frame *frame)
{
	return frame->kind == FRAME_NATIVE && !frame->module &&
	       frame->function && frame->function[0] == '[';
}

const struct frame *
sample_inner(const struct event_call *call, bool where)
{
	unsigned first;

	if (call->frame_count == 0)
		return NULL;
	first = sample_is_mark(&call->frames[0]) && call->frame_count > 1;
	for (unsigned i = first; where && i < call->frame_count; i++)
		if (call->frames[i].kind != FRAME_NATIVE)
			return &call->frames[i];
	return &call->frames[first];
}

void
sample_add_frame(struct str *to, const struct frame *frame, bool where)
{
	if (where) {
		frames_add_where(to, frame);
		return;
	}
	frames_add_function(to, frame);
	if (frame->file) {
		str_add(to, " (");
		escape_name(to, frame->file);
		str_add_char(to, ')');
	}
}

void
sample_add_name(struct str *to, const struct event_call *call, bool where)
{
	const struct frame *inner = sample_inner(call, where);

	if (!inner) {
		str_add_char(to, '?');
		return;
	}
	if (inner != &call->frames[0] && sample_is_mark(&call->frames[0]))
		str_addf(to, "%s ", call->frames[0].function);
	sample_add_frame(to, inner, where);
}
