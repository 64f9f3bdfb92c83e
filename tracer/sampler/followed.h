/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which modules a program has, when no trap in its loader tells of changes. */
#ifndef TRACER_SAMPLER_FOLLOWED_H
#define TRACER_SAMPLER_FOLLOWED_H

#include "base/map.h"
#include "tracer/model/session.h"

struct followed {
	struct map read; /* serial of a space -> time of the reading, in ms */
};

void followed_init(struct followed *followed);
void followed_release(struct followed *followed);

/* Reads the program's modules again, unless that was done just before, or a
 * trap is planted in its loader. */
void followed_read(struct followed *followed, struct program *program);

/* Reads what walks will need of the program's files, while no thread is stopped
 * for it. */
void followed_prepare(struct followed *followed, struct program *program);

#endif
