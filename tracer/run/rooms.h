/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every call from a lower room to a higher one, in one table. */
#ifndef TRACER_RUN_ROOMS_H
#define TRACER_RUN_ROOMS_H

#include "tracer/model/rooms.h"

extern const struct rooms rooms;

#endif
