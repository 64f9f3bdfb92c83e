/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stamp writes the time of a line in the form that the user chose (-t, -tt,
 * -ttt, -r), and durations. Both are cut to microseconds and never rounded up,
 * so that the time shown has passed.
 */
#ifndef OUTPUT_STAMP_H
#define OUTPUT_STAMP_H

#include "base/attr.h"
#include "base/str.h"
#include "output/look.h"

#include <stdint.h>

struct stamp {
	uint64_t minute; /* the minute since the Epoch that .clock shows */
	char clock[6];	 /* "22:31:" */
	uint64_t before; /* the time of the last line, for -r */
};

void stamp_init(struct stamp *stamp);
/* Adds the time and a space; nothing for LOOK_TIME_NONE. when is a
 * clock_now(). */
void stamp_add(struct stamp *stamp, const struct look *look, uint64_t when,
	       struct str *to);

/* Adds nanoseconds as 1.000600. */
void stamp_add_seconds(struct str *to, uint64_t ns);
/* Adds 412.3us, 1.001s: four significant digits. */
void stamp_add_short(struct str *to, uint64_t ns);

#endif
