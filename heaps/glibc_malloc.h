/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a program has of malloc() of glibc 2.36 and 2.41: blocks in use by their
 * size, and free memory by the kind of its list and by size. */
#ifndef HEAPS_GLIBC_MALLOC_H
#define HEAPS_GLIBC_MALLOC_H

#include "heaps/heap_languages.h"

/* --heap=native: malloc() is counted as if each version of glibc were a
 * language. The last element has no name. */
extern const struct heap_language heap_natives[];

#endif
