/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes -p means: the named ones, and with -f their descendants. */
#ifndef TRACER_ATTACH_FAMILY_H
#define TRACER_ATTACH_FAMILY_H

#include "process/status.h"
#include "tracer/options/options.h"

/* The named processes. 0, or a negative errno with a sentence. */
must_check int family_named(const struct options *options,
			    struct pids *ret_pids, struct err *err);

/* Adds the descendants that exist now. Returns how many are new. */
size_t family_grow(struct pids *pids);

#endif
