/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers HTTP requests for the metrics, which need only the head of a request.
 */
#ifndef NETWORK_HTTP_HEAD_H
#define NETWORK_HTTP_HEAD_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>

/* The most bytes of a head. */
#define HTTP_HEAD_MOST ((size_t)8 << 10)

/* Is the head of the request complete? */
bool http_head_complete(const struct str *request);

/*
 * Adds the answer to a request, whose head may be incomplete: then it is 400.
 * `metrics` is the text at /metrics.
 */
void http_head_answer(struct str *to, const struct str *request,
		      const struct str *metrics);

#endif
