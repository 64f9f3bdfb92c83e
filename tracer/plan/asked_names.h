/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names in --if and --group-by that only prototypes can explain. */
#ifndef TRACER_PLAN_ASKED_NAMES_H
#define TRACER_PLAN_ASKED_NAMES_H

#include "base/attr.h"
#include "base/err.h"

struct learned;
struct options;
struct prototypes;

/* Checks the names in --if and --group-by. Returns -EINVAL and a message if one
 * of them is in no prototype of a function that may be traced, neither in a
 * prototype file nor in debug information. The sets have been read. */
must_check int asked_names_check(const struct options *options,
				 struct prototypes *prototypes,
				 struct learned *learned, struct err *err);

#endif
