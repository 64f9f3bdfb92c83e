/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each option does, as the command line is read from left to right. */
#ifndef TRACER_OPTIONS_OPTION_TAKE_H
#define TRACER_OPTIONS_OPTION_TAKE_H

#include "base/vec.h"
#include "tracer/options/option_values.h"
#include "tracer/options/options.h"

struct reading {
	struct options *options;
	unsigned times[OPTIONS]; /* how often each option was given */
	/* how often each option was given on the command line */
	unsigned typed[OPTIONS];
};

/* Stores what the option says. Returns 0, or -EINVAL and a message. */
must_check int option_take(struct reading *reading, const struct given *given,
			   struct err *err);
/* Does what option_take() does for the options that set how lines and tables
 * look. */
must_check int option_take_look(struct options *options,
				const struct given *given, struct err *err);

#endif
