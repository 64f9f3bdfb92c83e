/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sets of probes that the user selected (--sql, --set NAME). A set is a
 * file as in conf/model/probe.h: NAME.conf in sets/ of the user's or the
 * installed directory, or a file given by its path. If two sets have a probe
 * for one function, the set that was named first is used.
 */
#ifndef TRACER_PLAN_SETS_H
#define TRACER_PLAN_SETS_H

#include "tracer/options/options.h"

struct filter;
struct probe;
struct prototypes;
struct sets;

/* *ret_sets is NULL if no set was selected. Returns -EINVAL and a message if a
 * set does not exist. The prototypes must live longer than the sets. */
must_check int sets_new(const struct options *options,
			struct prototypes *prototypes, struct sets **ret_sets,
			struct err *err);
void sets_free(struct sets *sets);

/* The names of the functions with probes; sets may be NULL. */
const struct filter *sets_filter(const struct sets *sets);
/* What the i-th set is about, or NULL. */
const char *sets_about(const struct sets *sets, size_t i);
/* Bits of enum wire_protocols: what the sets read from connections. */
unsigned sets_wire(const struct sets *sets);
/* Does one of the sets contain `connects;`? */
bool sets_connects(const struct sets *sets);
/* The probe of the function with this name, or NULL. */
const struct probe *sets_probe(const struct sets *sets, const char *name);
/* The i-th probe of a function that is found through data, or NULL. */
const struct probe *sets_pointed(const struct sets *sets, size_t i);

/* --set help: returns the exit status. */
int sets_list(const struct options *options);

#endif
