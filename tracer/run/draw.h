/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --draw-flame: draws a picture of existing folded stacks. */
#ifndef TRACER_RUN_DRAW_H
#define TRACER_RUN_DRAW_H

#include "base/attr.h"

struct options;

/* Reads standard input and reports errors. Returns the exit status. */
must_check int draw_flame(const struct options *options);

#endif
