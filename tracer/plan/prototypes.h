/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which prototype applies to a function: the places where prototype files are
 * (see conf/find/search.h), and what is said about errors in them. That of the
 * library that defines the function comes first; libc's and libm's serve for
 * whoever defines functions of the same names (an allocator, an emulation).
 */
#ifndef TRACER_PLAN_PROTOTYPES_H
#define TRACER_PLAN_PROTOTYPES_H

#include "tracer/options/options.h"
#include "conf/find/trust.h"

struct library;
struct proto;
struct prototypes;

/*
 * Reads the files that speak for every library and says what is wrong with
 * them on stderr, as it does later with those read when first needed. -errno
 * with a sentence for a -F that cannot be read.
 */
must_check int prototypes_new(const struct options *options,
			      struct prototypes **ret_prototypes,
			      struct err *err);
void prototypes_free(struct prototypes *prototypes);

/*
 * module: the defining library's label, or NULL where that is not known: then
 * those of all libraries there are files for. NULL where nobody knows.
 */
const struct proto *prototypes_find(struct prototypes *prototypes,
				    const char *name, const char *module);

/* Functions of that module will be asked about: reads what there is on it. */
void prototypes_expect(struct prototypes *prototypes, const char *module);

/* A file beside those places, as a set is; -errno with a sentence if it cannot
 * be read. What is wrong in it is said. */
must_check int prototypes_read(struct prototypes *prototypes, const char *path,
			       enum trust trust,
			       const struct library **ret_library,
			       struct err *err);

/* --show-prototype and --check-config: the exit status. */
int prototypes_show(const struct options *options);
int prototypes_check(const struct options *options);

#endif
