/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls every function of symbols/ that reads an image, so that each of them
 * meets damaged files. */
#ifndef TESTS_FUZZ_IMAGE_WALK_H
#define TESTS_FUZZ_IMAGE_WALK_H

#include "symbols/demangle.h"
#include "symbols/plt.h"
#include "symbols/sdt.h"
#include "symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

/* The sum of all results: without it the compiler would leave out the reads. */
static volatile size_t walked;

static inline void
walk_text(const char *text)
{
	if (text)
		walked += strlen(text);
}

static inline void
walk_headers(struct image *image)
{
	const struct segment *segments;
	size_t count;
	uint8_t bytes[40];

	walk_text(image_soname(image));
	walk_text(image_label(image));
	walk_text(image_interpreter(image));
	walk_text(image_build_id(image));
	segments = image_segments(image, &count);
	for (size_t i = 0; i < count; i++) {
		const addr_t end = segments[i].address + segments[i].file_size;

		walked += !image_read(image, segments[i].address, bytes, 1);
		walked += !image_read(image, end - 20, bytes, 40);
	}
	image_initializers(image, &count);
}

static inline void
walk_symbols(struct image *image, enum symtab_extent extent)
{
	const struct symtab *symtab = image_symtab(image, extent);

	for (size_t i = 0; i < symtab->count; i++) {
		const struct symbol *symbol = &symtab->at[i];

		if (i && symbol->address < symbol[-1].address)
			abort();
		/* A damaged DT_GNU_HASH may deny a symbol that exists. */
		if (!symtab_find(image, extent, symbol->name) &&
		    !symbol->dynamic)
			abort();
		walk_text(symbol->version);
		if (i < 16) {
			free(demangle(symbol->name));
			symtab_covering(image, symbol->address + 1);
		}
	}
	symtab_covering(image, image_entry(image));
}

static inline void
walk_sdts(struct image *image)
{
	const struct sdts *sdts = image_sdts(image);

	for (size_t i = 0; i < sdts->list.count; i++) {
		const struct sdt *sdt = &sdts->list.at[i];
		uint8_t byte;

		walk_text(sdt->provider);
		walk_text(sdt->name);
		walk_text(sdt->arguments);
		walked += !image_read(image, sdt->address, &byte, 1);
	}
}

static inline void
walk_plt(struct image *image)
{
	const struct plt *plt = image_plt(image);
	uint8_t bytes[7];

	for (size_t i = 0; i < plt->count; i++) {
		walk_text(plt->at[i].name);
		walk_text(plt->at[i].version);
		for (size_t g = 0; g < plt->at[i].gate_count; g++)
			if (image_read(image, plt->at[i].gates[g], bytes, 6))
				abort();
	}
}

#endif
