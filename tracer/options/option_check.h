/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole command line. */
#ifndef TRACER_OPTIONS_OPTION_CHECK_H
#define TRACER_OPTIONS_OPTION_CHECK_H

#include "tracer/options/option_table.h"
#include "tracer/options/options.h"

/* times[name] is how often the option was given. Returns -EINVAL and a
 * message. */
must_check int option_check(const struct options *options,
			    const unsigned *times, struct err *err);

/* No two outputs may be written to one file, and no output to the file that
 * stderr is. */
must_check int option_check_files(const struct options *options,
				  struct err *err);

#endif
