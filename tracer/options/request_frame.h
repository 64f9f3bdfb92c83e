/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument of --request-frame: FUNCTION or FUNCTION@FILE, two globs. The
 * calls of a script's function that they match are requests. A FILE without a
 * slash is compared with the file's name, else with its whole path.
 */
#ifndef TRACER_OPTIONS_REQUEST_FRAME_H
#define TRACER_OPTIONS_REQUEST_FRAME_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>

struct request_frame {
	const char *text; /* the pattern as the user gave it */
	struct pattern *function;
	struct pattern *file; /* NULL: any file */
	bool whole_path;
	bool found; /* some frame matched */
};

/* Reads the argument of --request-frame. The text must live as long as the
 * result. */
must_check int request_frame_read(const char *text,
				  struct request_frame **ret_frame,
				  struct err *err);
/* frame may be NULL. */
void request_frame_free(struct request_frame *frame);

/* function and file may be NULL, if they are not known. */
bool request_frame_matches(const struct request_frame *frame,
			   const char *function, const char *file);

#endif
