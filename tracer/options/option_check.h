/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole command line. */
#ifndef TRACER_OPTIONS_OPTION_CHECK_H
#define TRACER_OPTIONS_OPTION_CHECK_H

#include "tracer/options/option_take.h"

/* Returns -EINVAL and a message. */
must_check int option_check(const struct reading *reading, struct err *err);

/* No two outputs may be written to one file, and no output to the file that
 * stderr is. */
must_check int option_check_files(const struct options *options,
				  struct err *err);

/* A service writes files only. */
must_check int option_check_service(const struct options *options,
				    struct err *err);

#endif
