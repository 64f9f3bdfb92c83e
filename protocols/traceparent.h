/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header traceparent of a request names the trace that the request is a
 * part of, and the span that has sent it (W3C, Trace Context level 2,
 * section 3.2).
 */
#ifndef PROTOCOLS_TRACEPARENT_H
#define PROTOCOLS_TRACEPARENT_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

enum { TRACE_ID_DIGITS = 32, SPAN_ID_DIGITS = 16 };

struct traceparent {
	char trace[TRACE_ID_DIGITS + 1];
	char parent[SPAN_ID_DIGITS + 1];
	unsigned char flags; /* 1: sampled, 2: the id of the trace is random */
};

/* Reads the header's value. False if it is malformed; then there is none. */
must_check bool traceparent_read(const char *text, size_t length,
				 struct traceparent *ret_parent);

#endif
