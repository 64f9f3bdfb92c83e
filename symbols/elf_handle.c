/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handle is not that of the image (symbols/elf), because libelf changes the
 * section headers in memory when it inflates a section. It reads the file with
 * pread(2), because a mapped file that is truncated causes SIGBUS.
 */
#include "symbols/elf_handle.h"

#include <libelf.h>

struct Elf *
elf_handle_new(struct image *image)
{
	const int fd = image_descriptor(image);
	const void *bytes;
	size_t length;

	if (fd >= 0)
		return elf_begin(fd, ELF_C_READ, NULL);
	bytes = image_bytes(image, &length);
	/* libelf's prototype has no const. */
	return bytes ? elf_memory((char *)(uintptr_t)bytes, length) : NULL;
}
