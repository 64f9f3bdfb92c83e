/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An allocator gets memory for its caller, so frames of allocators do not tell
 * which line needs the memory. */
#include "output/growth_line.h"

#include "output/frames.h"

#include <string.h>

/* Libraries that get memory for their callers: the C library, its loader, and
 * other allocators. */
static const char *const allocators[] = {
	"libc.so",	"libc.musl",   "ld-",	       "libstdc++.so",
	"libjemalloc.", "libtcmalloc", "libmimalloc.", NULL,
};

static bool
is_allocator(const struct frame *frame)
{
	for (size_t i = 0; allocators[i] && frame->module; i++)
		if (!strncmp(frame->module, allocators[i],
			     strlen(allocators[i])))
			return true;
	return false;
}

static const struct frame *
line_of(const struct event_call *call)
{
	for (unsigned i = 0; i < call->frame_count; i++)
		if (call->frames[i].kind != FRAME_NATIVE)
			return &call->frames[i];
	for (unsigned i = 0; i < call->frame_count; i++)
		if (!is_allocator(&call->frames[i]))
			return &call->frames[i];
	return call->frame_count > 0 ? &call->frames[0] : NULL;
}

void
growth_line_add(struct str *to, const struct event_call *call)
{
	const struct frame *line = line_of(call);

	if (line)
		frames_add_where(to, line);
	else
		str_add_char(to, '?');
}
