/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the symbols of a stripped file: /usr/lib/debug/.build-id/xx/y.debug,
 * .gnu_debuglink beside it, or an xz-compressed .gnu_debugdata inside it.
 */
#ifndef SYMBOLS_DEBUGFILE_H
#define SYMBOLS_DEBUGFILE_H

#include "symbols/image.h"

/* The image with the further symbols (same addresses), or NULL. The caller owns
 * the reference. root ("" or "/proc/PID/root") is put before paths. */
struct image *debugfile_find(struct image *image, const char *root);

/* A descriptor of the file that has debug information, for the caller to close:
 * the first of those places, from the root that the image is seen from, or
 * from a debuginfod server. *ret_name is its path, to be freed. -1 if there is
 * none. */
int debugfile_open(struct image *image, char **ret_name);

#endif
