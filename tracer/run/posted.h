/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output that is sent to a server. */
#ifndef TRACER_RUN_POSTED_H
#define TRACER_RUN_POSTED_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>

struct out;

/*
 * Opens an out whose lines are sent to a receiver of OpenTelemetry at this URL,
 * each as one request. What was not sent is told at the end; with `stats`, what
 * was sent is told, too. Call this before any thread is started. -errno with a
 * sentence if the process that sends cannot be started.
 */
must_check int posted_open(const char *url, bool stats, struct out **ret_out,
			   struct err *err);

#endif
