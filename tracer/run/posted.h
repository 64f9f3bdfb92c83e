/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output that is sent to a server. */
#ifndef TRACER_RUN_POSTED_H
#define TRACER_RUN_POSTED_H

#include "base/attr.h"
#include "base/err.h"

struct out;

/*
 * Opens an out whose lines are sent to a receiver of OpenTelemetry at this URL,
 * each as one request. Call this before any thread is started. -errno with a
 * sentence if the process that sends cannot be started.
 */
must_check int posted_open(const char *url, struct out **ret_out,
			   struct err *err);

#endif
