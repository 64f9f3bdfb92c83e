/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A language is what a script is written in: one row of stacks/languages.def.
 * What its frames are called, and which files belong to its installed packages.
 */
#ifndef STACKS_LANGUAGES_H
#define STACKS_LANGUAGES_H

#include "stacks/stack.h"

#include <stdbool.h>

/* "python", or "native", for those who write frames down. */
const char *frame_kind_name(enum frame_kind kind);

/*
 * Is the file of a script's frame part of an installed package, or of the
 * interpreter itself, and not of the program?
 */
bool file_is_packaged(const char *file);

#endif
