/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handle of libelf for an image, for the libraries that read debug
 * information.
 */
#ifndef SYMBOLS_ELF_HANDLE_H
#define SYMBOLS_ELF_HANDLE_H

#include "symbols/image.h"

struct Elf; /* libelf's type */

/* A new handle, valid as long as the image; NULL if the file cannot be read.
 * The caller ends it with elf_end(). */
struct Elf *elf_handle_new(struct image *image);

#endif
