/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A language of scripts: one row of stacks/languages.def. Tells the name of its
 * frames.
 */
#ifndef STACKS_LANGUAGES_H
#define STACKS_LANGUAGES_H

#include "stacks/stack.h"

/* "python", or "native": the word for the kind in output. */
const char *frame_kind_name(enum frame_kind kind);

#endif
