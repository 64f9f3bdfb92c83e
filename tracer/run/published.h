/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An output that others fetch from a port. */
#ifndef TRACER_RUN_PUBLISHED_H
#define TRACER_RUN_PUBLISHED_H

#include "base/attr.h"
#include "base/err.h"

struct out;

/*
 * Opens an out whose newest version is served over HTTP at an address, which
 * address_parse() can read. Call this before any thread is started. -errno with
 * a sentence if nothing can listen there.
 */
must_check int published_open(const char *address, struct out **ret_out,
			      struct err *err);

#endif
