/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any ELF file: its headers and its symbols. */
#include "tests/fuzz/image_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct image *image;
	struct err err;

	if (image_open_memory(bytes, length, "fuzz", &image, &err) < 0)
		return 0;
	walk_headers(image);
	walk_symbols(image, SYMTAB_DYNAMIC);
	walk_symbols(image, SYMTAB_ALL);
	image_unref(image);
	return 0;
}
