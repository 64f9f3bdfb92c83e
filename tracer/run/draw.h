/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --draw-flame: a picture of folded stacks that are there already. */
#ifndef TRACER_RUN_DRAW_H
#define TRACER_RUN_DRAW_H

#include "base/attr.h"

struct options;

/* From standard input; what is wrong is said. The exit status. */
must_check int draw_flame(const struct options *options);

#endif
