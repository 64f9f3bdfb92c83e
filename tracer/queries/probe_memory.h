/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a probe's call takes from earlier calls, and what it keeps for later
 * ones: texts under handles. */
#ifndef TRACER_QUERIES_PROBE_MEMORY_H
#define TRACER_QUERIES_PROBE_MEMORY_H

#include "tracer/queries/probes.h"

struct argument;

/* The most bytes of a text that are kept. */
#define PROBE_TEXT_MOST ((size_t)1 << 24)

/* At the entry: adds what is recalled or gathered as an argument, in front of
 * the others and hidden. */
void probe_recall(struct probed *of);
/* At the return: keeps and forgets texts. */
void probe_remember(struct probed *of, uint64_t now);

#endif
