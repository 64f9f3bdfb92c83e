/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --compare: compares two tables in JSON. */
#ifndef TRACER_RUN_COMPARE_FILES_H
#define TRACER_RUN_COMPARE_FILES_H

#include "base/attr.h"

struct options;

/* Writes the differences to standard output, and reports errors. Returns the
 * exit status. */
must_check int compare_files(const struct options *options);

#endif
