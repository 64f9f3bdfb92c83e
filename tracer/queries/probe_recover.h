/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a query that was in flight when xtrace attached, if the register
 * that had it has been overwritten since. */
#ifndef TRACER_QUERIES_PROBE_RECOVER_H
#define TRACER_QUERIES_PROBE_RECOVER_H

#include "tracer/queries/probes.h"

/* Gives a text to the arguments that are shown and cannot be read, if there is
 * another place that has it. */
void probe_recover(struct probed *of);

#endif
