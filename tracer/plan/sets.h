/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sets of probes that were asked for (--sql, --set NAME): files of
 * conf/model/probe.h, NAME.conf in sets/ of the user's or the installed
 * directory, or wherever a path says. Where two have a probe for one function,
 * the set that was asked for first counts.
 */
#ifndef TRACER_PLAN_SETS_H
#define TRACER_PLAN_SETS_H

#include "tracer/options/options.h"

struct filter;
struct probe;
struct prototypes;
struct sets;

/* NULL in *ret_sets where none was asked for. -EINVAL with a sentence for one
 * that there is not. The prototypes outlive the sets. */
must_check int sets_new(const struct options *options,
			struct prototypes *prototypes, struct sets **ret_sets,
			struct err *err);
void sets_free(struct sets *sets);

/* What the probes at symbols are named; of sets that may be NULL. */
const struct filter *sets_filter(const struct sets *sets);
/* Does one of them say `wire;`? */
bool sets_wire(const struct sets *sets);
/* Of the function that bears this name, or NULL. */
const struct probe *sets_probe(const struct sets *sets, const char *name);
/* Those that are reached through data, one after the other, or NULL. */
const struct probe *sets_pointed(const struct sets *sets, size_t i);

/* --set help: the exit status. */
int sets_list(const struct options *options);

#endif
