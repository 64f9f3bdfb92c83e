/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose code a frame of a script is: an installed package's, or the
 * application's own.
 */
#ifndef STACKS_PACKAGES_H
#define STACKS_PACKAGES_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>

/* A pattern of the user's (--packages). With a slash it is a glob(7) for the
 * whole path, else for the name of a folder. */
struct package_pattern {
	const char *text;
	bool found; /* the file of some frame matched the pattern */
};

struct packages {
	vec_of(struct package_pattern) patterns;
};

/*
 * The name of the package that the file of a script's frame belongs to, in the
 * arena: "sqlalchemy". Code without a file (<frozen os>) belongs to the
 * interpreter and has its own name. NULL: the file is the application's.
 * packages may be NULL.
 */
const char *package_of(struct packages *packages, const char *file,
		       struct arena *arena);

#endif
