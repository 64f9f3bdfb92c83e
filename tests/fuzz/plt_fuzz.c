/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any ELF file: its imports, and the code that uses them. */
#include "tests/fuzz/image_walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct image *image;

	if (image_open_memory(bytes, length, "fuzz", &image, NULL) < 0)
		return 0;
	walk_plt(image);
	walk_sdts(image);
	image_unref(image);
	return 0;
}
