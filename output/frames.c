/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes frames. Unknown parts are left out. */
#include "output/frames.h"

#include "base/escape.h"

static void
add_place(struct str *to, const struct frame *frame)
{
	escape_name(to, frame->file);
	if (frame->line) {
		str_add_char(to, ':');
		str_add_unsigned(to, frame->line);
	}
}

static void
add_function(struct str *to, const struct frame *frame)
{
	escape_name(to, frame->function ? frame->function : "?");
	if (frame->module) {
		str_add_char(to, '@');
		escape_name(to, frame->module);
	}
}

/* Adds a native frame. If its line is unknown, its offset in the function is
 * written. */
static void
add_native(struct str *to, const struct frame *frame)
{
	if (frame->function)
		escape_name(to, frame->function);
	else
		str_addf(to, "%#" PRIxADDR, frame->pc - frame->base);
	if (frame->start && frame->pc > frame->start && !frame->file)
		str_addf(to, "+%#" PRIxADDR, frame->pc - frame->start);
	if (frame->module) {
		str_add_char(to, '@');
		escape_name(to, frame->module);
	}
}

void
frames_add_function(struct str *to, const struct frame *frame)
{
	add_function(to, frame);
}

/* As frames_add_one(), but without an offset in the function. */
void
frames_add_where(struct str *to, const struct frame *frame)
{
	if (frame->file) {
		add_place(to, frame);
		str_add(to, " in ");
	}
	add_function(to, frame);
}

void
frames_add_one(struct str *to, const struct frame *frame)
{
	if (frame->file) {
		add_place(to, frame);
		str_add(to, " in ");
	}
	if (frame->kind == FRAME_NATIVE)
		add_native(to, frame);
	else
		add_function(to, frame);
}

/* Adds the numbers of frames that are not shown, by package:
 * "    ... 2 of MySQLdb, 9 of sqlalchemy". */
static void
add_skipped(struct str *to, const struct event_call *call)
{
	for (unsigned i = 0; i < call->skipped_count; i++) {
		str_add(to, i ? ", " : "\n    ... ");
		str_add_unsigned(to, call->skipped[i].count);
		str_add(to, " of ");
		escape_name(to, call->skipped[i].package);
	}
}

/* Between the frames of a program and those of its script. */
static void
add_apart(struct str *to, const struct event_call *call, unsigned i)
{
	if (i > 0 && i == call->frames_apart)
		str_add(to, "\n    <the script, not placed among these>");
}

void
frames_add(struct str *to, const struct event_call *call)
{
	add_skipped(to, call);
	for (unsigned i = 0; i < call->frame_count; i++) {
		add_apart(to, call, i);
		str_add(to, "\n    ");
		frames_add_one(to, &call->frames[i]);
	}
	if (call->frames_partial)
		str_add(to, "\n    <cannot be read further>");
}

/* ltrace prints the pc of the innermost frame, and of the others an address
 * within the call. */
static void
add_native_as_ltrace(struct str *to, const struct frame *frame, bool innermost)
{
	addr_t at = innermost ? frame->pc : frame->within;
	addr_t offset = frame->function && frame->start ? at - frame->start : 0;

	escape_name(to, frame->path	? frame->path
			: frame->module ? frame->module
					: "[unknown]");
	str_add_char(to, '(');
	escape_name(to, frame->function ? frame->function : "[unknown]");
	str_addf(to, "+0x%" PRIxADDR ") [%" PRIxADDR "]", offset, at);
	if (!frame->file)
		return;
	str_add(to, "\n\t");
	add_place(to, frame);
}

void
frames_add_as_ltrace(struct str *to, const struct event_call *call)
{
	add_skipped(to, call);
	for (unsigned i = 0; i < call->frame_count; i++) {
		add_apart(to, call, i);
		str_add(to, "\n > ");
		if (call->frames[i].kind == FRAME_NATIVE)
			add_native_as_ltrace(to, &call->frames[i], i == 0);
		else
			frames_add_one(to, &call->frames[i]);
	}
	if (call->frames_partial)
		str_add(to, "\n > [...]");
	if (call->frame_count || call->frames_partial || call->skipped_count)
		str_add_char(to, '\n');
}

void
frames_add_thread(struct str *to, const struct event *event)
{
	str_add(to, "thread ");
	str_add_signed(to, event->tid);
	if (event->tid != event->pid) {
		str_add(to, " of ");
		str_add_signed(to, event->pid);
	}
	str_add(to, " (");
	escape_name(to, event->text);
	str_add(to, "), ");
	str_add(to, event->state);
	frames_add(to, event->call);
}

void
frames_add_label(struct str *to, const struct frame *frame)
{
	add_function(to, frame);
	if (!frame->file)
		return;
	str_add(to, " (");
	add_place(to, frame);
	str_add_char(to, ')');
}

unsigned
frames_within(const struct event_call *call, addr_t around)
{
	for (unsigned i = 0; around && i < call->frame_count; i++) {
		if (call->frames[i].at == around)
			return i;
	}
	return call->frame_count;
}

const struct frame *
frames_asking(const struct event_call *call)
{
	if (call->frame_count == 0)
		return NULL;
	return &call->frames[call->frames_own < call->frame_count
				     ? call->frames_own
				     : 0];
}
