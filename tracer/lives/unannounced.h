/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Children that no event of their parent tells of. */
#ifndef TRACER_LIVES_UNANNOUNCED_H
#define TRACER_LIVES_UNANNOUNCED_H

#include "tracer/model/session.h"

/* About once a second: newborns of which no event tells run on. */
void unannounced_tick(struct session *session);
/* The last step of leaving: no trap stays in children of which no event has
 * told. */
void unannounced_leave(struct session *session);

#endif
