/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last @ separates the function from the file, because names of functions
 * may contain one.
 */
#include "tracer/options/request_frame.h"

#include "base/pattern.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
request_frame_read(const char *text, struct request_frame **ret_frame,
		   struct err *err)
{
	const char *at = strrchr(text, '@');
	size_t length = at ? (size_t)(at - text) : strlen(text);
	cleanup(freep) char *function = xstrndup(text, length);
	struct request_frame *frame;
	int r = 0;

	if (length == 0 || (at && !at[1]))
		return err_set(err, -EINVAL,
			       "--request-frame: name a function, or "
			       "FUNCTION@FILE");
	frame = xcalloc(1, sizeof(*frame));
	frame->text = text;
	frame->whole_path = at && strchr(at + 1, '/');
	r = pattern_glob(function, &frame->function, err);
	if (r == 0 && at)
		r = pattern_glob(at + 1, &frame->file, err);
	if (r < 0) {
		request_frame_free(frame);
		return r;
	}
	*ret_frame = frame;
	return 0;
}

void
request_frame_free(struct request_frame *frame)
{
	if (!frame)
		return;
	pattern_free(frame->function);
	pattern_free(frame->file);
	free(frame);
}

bool
request_frame_matches(const struct request_frame *frame, const char *function,
		      const char *file)
{
	const char *slash;

	if (!function || !pattern_matches(frame->function, function))
		return false;
	if (!frame->file)
		return true;
	if (!file)
		return false;
	slash = frame->whole_path ? NULL : strrchr(file, '/');
	return pattern_matches(frame->file, slash ? slash + 1 : file);
}
