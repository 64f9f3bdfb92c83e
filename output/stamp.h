/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stamp writes when a line happened, in the way the user wants it (-t, -tt,
 * -ttt, -r), and how long something took. Both are cut to microseconds, never
 * rounded up: what is shown has passed.
 */
#ifndef OUTPUT_STAMP_H
#define OUTPUT_STAMP_H

#include "base/attr.h"
#include "base/str.h"
#include "output/look.h"

#include <stdint.h>

struct stamp {
	uint64_t minute; /* of the Epoch, that .clock is for */
	char clock[6];	 /* "22:31:" */
	uint64_t before; /* what the last line said, for -r */
};

void stamp_init(struct stamp *stamp);
/* With a space behind it; nothing for LOOK_TIME_NONE. when is clock_now(). */
void stamp_add(struct stamp *stamp, const struct look *look, uint64_t when,
	       struct str *to);

/* 1.000600, of nanoseconds. */
void stamp_add_seconds(struct str *to, uint64_t ns);
/* 412.3us, 1.001s: four digits that count. */
void stamp_add_short(struct str *to, uint64_t ns);

#endif
