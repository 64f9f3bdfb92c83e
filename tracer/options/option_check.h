/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole command line. */
#ifndef TRACER_OPTIONS_OPTION_CHECK_H
#define TRACER_OPTIONS_OPTION_CHECK_H

#include "tracer/options/option_take.h"

/* Checks each option together with the others. Returns 0, or -EINVAL and a
 * message. */
must_check int option_check(const struct reading *reading, struct err *err);

/* Checks that no two outputs are written to one file, and that no output is
 * written to the file to which stderr is redirected. */
must_check int option_check_files(const struct options *options,
				  struct err *err);

/* Checks that --budget is not given with an option whose cost it cannot limit,
 * or whose results it would make wrong. times: how often each option is
 * given. */
must_check int option_check_budget(const struct options *options,
				   const unsigned *times, struct err *err);

/* Checks the options of a service (--service): it traces running processes and
 * writes files only. */
must_check int option_check_service(const struct options *options,
				    struct err *err);

#endif
