/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where functions begin and end as the unwinder knows it (.eh_frame): there
 * in stripped files too, and in programs written in C.
 */
#ifndef SYMBOLS_FDE_H
#define SYMBOLS_FDE_H

#include "symbols/elf.h"
#include "symbols/image.h"

/* The binary search table of .eh_frame_hdr, sorted by address. */
struct fde_table {
	const struct elf *elf;
	const uint8_t *rows;
	size_t count; /* 0 where there is none that we can read */
};

struct fde_table fde_table_of(const struct elf *elf);

/* The code around address: [*ret_start, *ret_end). */
must_check bool fde_covering(const struct fde_table *table, addr_t address,
			     addr_t *ret_start, addr_t *ret_end);

/* The same of an image, whether it has symbols or not. */
must_check bool image_code_around(const struct image *image, addr_t address,
				  addr_t *ret_start, addr_t *ret_end);

/* True where code begins at address. */
bool fde_starts_at(const struct fde_table *table, addr_t address);

#endif
