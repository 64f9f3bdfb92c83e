/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --list-probes: the SDT probes of a file, or of what a process has mapped. */
#ifndef TRACER_RUN_LIST_PROBES_H
#define TRACER_RUN_LIST_PROBES_H

#include "base/attr.h"

struct options;

/* Prints the probes and reports errors. Returns the exit status. */
must_check int list_probes(const struct options *options);

#endif
