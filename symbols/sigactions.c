/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searches the executable segments of a file from end to end. */
#include "symbols/sigactions.h"

#include "arch/code.h"
#include "symbols/image_parts.h"

static void
scan_segment(const struct elf *elf, const struct segment *segment,
	     struct sigactions *places)
{
	const struct bytes bytes =
		elf_bytes(elf, segment->address, segment->file_size);
	const struct code code = { bytes.at, bytes.count, segment->address };
	size_t from = 0;

	while (from < code.length) {
		size_t behind =
			elf->arch->system_call->next_sigaction(&code, from,
							       &from);
		addr_t address = segment->address + behind;

		if (behind == code.length ||
		    (places->behind.count &&
		     places->behind.at[places->behind.count - 1] == address))
			continue;
		vec_push(&places->behind, address);
	}
}

static void
free_places(void *kept)
{
	struct sigactions *places = kept;

	vec_release(&places->behind);
	free(places);
}

const struct sigactions *
image_sigactions(struct image *image)
{
	struct sigactions *places = image_kept(image, SHELF_SIGACTIONS);
	const struct segment *segments;
	size_t count;

	if (places)
		return places;
	places = xcalloc(1, sizeof(*places));
	segments = image_segments(image, &count);
	for (size_t i = 0; i < count; i++) {
		if (segments[i].executable)
			scan_segment(image_elf(image), &segments[i], places);
	}
	image_keep(image, SHELF_SIGACTIONS, places, free_places);
	return places;
}
