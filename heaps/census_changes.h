/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has changed from one census of a heap to a later one, by class. */
#ifndef HEAPS_CENSUS_CHANGES_H
#define HEAPS_CENSUS_CHANGES_H

#include "base/vec.h"
#include "heaps/census.h"

struct census_change {
	/* name of the class, which belongs to one of the two censuses */
	const char *name;
	int64_t count, bytes;
};

struct census_changes {
	vec_of(struct census_change) rows; /* the largest growth first */
	int64_t count, bytes;		   /* sums of all rows */
};

/* Compares two censuses. The result is valid as long as both of them. The
 * caller releases it. */
void census_changes_init(struct census_changes *changes,
			 const struct census *before,
			 const struct census *after);
void census_changes_release(struct census_changes *changes);

#endif
