/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much two words differ: is one of them a misspelling of the other? */
#ifndef BASE_SPELLING_H
#define BASE_SPELLING_H

#include <stddef.h>

/* How many characters must be inserted, removed or replaced to change a to b.
 * SIZE_MAX if b has 64 characters or more. */
size_t spelling_distance(const char *a, const char *b);

#endif
