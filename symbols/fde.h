/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The beginnings and ends of functions in the unwind tables (.eh_frame).
 * Stripped files and C programs have these tables, too.
 */
#ifndef SYMBOLS_FDE_H
#define SYMBOLS_FDE_H

#include "symbols/elf.h"
#include "symbols/image.h"

/* The binary search table of .eh_frame_hdr, sorted by address. */
struct fde_table {
	const struct elf *elf;
	const uint8_t *rows;
	size_t count; /* 0 if there is no table that we can read */
};

struct fde_table fde_table_of(const struct elf *elf);

/* Finds the code around address: [*ret_start, *ret_end). */
must_check bool fde_covering(const struct fde_table *table, addr_t address,
			     addr_t *ret_start, addr_t *ret_end);

/* Like fde_covering() for an image, with or without symbols. */
must_check bool image_code_around(const struct image *image, addr_t address,
				  addr_t *ret_start, addr_t *ret_end);

/* True if code begins at address. */
bool fde_starts_at(const struct fde_table *table, addr_t address);

#endif
