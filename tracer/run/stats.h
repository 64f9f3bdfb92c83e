/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --stats: what the tracing cost, on stderr at the end. */
#ifndef TRACER_RUN_STATS_H
#define TRACER_RUN_STATS_H

#include "tracer/model/session.h"

void stats_say(const struct session *session);

#endif
