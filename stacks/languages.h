/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A language of scripts: one row of stacks/languages.def. Tells the name of its
 * frames, and which files belong to its installed packages.
 */
#ifndef STACKS_LANGUAGES_H
#define STACKS_LANGUAGES_H

#include "stacks/stack.h"

#include <stdbool.h>

/* "python", or "native": the word for the kind in output. */
const char *frame_kind_name(enum frame_kind kind);

/*
 * Does the file of a script's frame belong to an installed package, or to the
 * interpreter itself, and not to the program?
 */
bool file_is_packaged(const char *file);

#endif
