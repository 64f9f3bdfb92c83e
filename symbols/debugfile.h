/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the symbols of a stripped file: /usr/lib/debug/.build-id/xx/y.debug,
 * .gnu_debuglink beside it, or an xz-compressed .gnu_debugdata inside it.
 */
#ifndef SYMBOLS_DEBUGFILE_H
#define SYMBOLS_DEBUGFILE_H

#include "base/attr.h"
#include "symbols/image.h"

/* The image with the further symbols (same addresses), or NULL. The caller owns
 * the reference. root ("" or "/proc/PID/root") is put before paths. */
struct image *debugfile_find(struct image *image, const char *root);

struct elf;

/* The file that has the .symtab of the image: itself, or a separate one. NULL
 * if there is none. Lives as long as the image. */
const struct elf *debugfile_statics(struct image *image);

/* The path of the file with further symbols and debug information, in the root
 * of the image: the first of the places that debugfile.c lists. The caller
 * frees it; NULL if there is none. */
char *debugfile_path(struct image *image);

/* Opens the file of debugfile_path(), or a copy of it if another user might
 * truncate it, so that it may be mapped. -1 if there is none. The caller frees
 * *ret_path and closes the descriptor. */
must_check int debugfile_open(struct image *image, char **ret_path);

#endif
