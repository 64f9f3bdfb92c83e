/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a call was made from (-w): the frames of its thread, at its entry. */
#ifndef TRACER_WHERE_H
#define TRACER_WHERE_H

#include "tracer/report.h"

/* Fills in call->event.frames, if they were asked for. */
void where_capture(const struct moment *moment, struct call *call);

#endif
