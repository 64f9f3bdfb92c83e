/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the names of a stripped file are: /usr/lib/debug/.build-id/xx/y.debug,
 * .gnu_debuglink beside it, or an xz-compressed .gnu_debugdata inside it.
 */
#ifndef SYMBOLS_DEBUGFILE_H
#define SYMBOLS_DEBUGFILE_H

#include "symbols/image.h"

/* The image that holds further symbols (same addresses), or NULL. The
 * reference is the caller's. root ("" or "/proc/PID/root") goes before paths.
 */
struct image *debugfile_find(struct image *image, const char *root);

/* The path of the file that has further symbols, and debug information: the
 * first of those places, from the root that the image is seen from. To be
 * freed; NULL where there is none. */
char *debugfile_path(struct image *image);

#endif
