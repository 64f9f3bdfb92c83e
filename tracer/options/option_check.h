/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can only be judged when all of the command line was read. */
#ifndef TRACER_OPTIONS_OPTION_CHECK_H
#define TRACER_OPTIONS_OPTION_CHECK_H

#include "tracer/options/option_table.h"
#include "tracer/options/options.h"

/* times[name]: how often the option was given. -EINVAL with a sentence. */
must_check int option_check(const struct options *options,
			    const unsigned *times, struct err *err);

/* No two outputs may name one file, nor one the file that stderr is. */
must_check int option_check_files(const struct options *options,
				  struct err *err);

#endif
