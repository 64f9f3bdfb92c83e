/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a probe's call has others to thank for, and what it leaves to others:
 * texts under handles. */
#ifndef TRACER_QUERIES_PROBE_MEMORY_H
#define TRACER_QUERIES_PROBE_MEMORY_H

#include "tracer/queries/probes.h"

struct argument;

/* Of a text that is kept for later. */
#define PROBE_TEXT_MOST ((size_t)1 << 24)

/* At the entry: what is recalled or gathered becomes an argument, in front of
 * the others and hidden. */
void probe_recall(struct probed *of);
/* At the return: what is kept and what is forgotten. */
void probe_remember(struct probed *of, uint64_t now);

#endif
