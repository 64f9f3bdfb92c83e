/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that no event of their parents announces. */
#ifndef TRACER_LIVES_UNANNOUNCED_H
#define TRACER_LIVES_UNANNOUNCED_H

#include "tracer/model/session.h"

/* About once a second: newborns that no event has announced are resumed. */
void unannounced_tick(struct session *session);
/* The last step of leaving: lifts the traps in children that no event has
 * announced. */
void unannounced_leave(struct session *session);

#endif
