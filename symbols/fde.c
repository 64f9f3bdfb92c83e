/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * .eh_frame_hdr (LSB Core 10.6.2) is
 *
 *	version 1, encodings of: pointer, count, table	4 bytes
 *	pointer to .eh_frame				4
 *	count						4
 *	count rows of { start, description }		8 each
 *
 * with the encodings that every linker writes: the pointer pcrel sdata4, the
 * count udata4, the rows datarel sdata4, that is signed and relative to the
 * header. A table with other encodings is not read.
 *
 * A function's end is in its description (FDE): length, pointer to its CIE,
 * start, size. The CIE gives the encoding of the last two. We do not read the
 * CIE: if the start, read as pcrel sdata4, equals the row's start, this is the
 * encoding.
 */
#include "symbols/fde.h"

#include "symbols/image_parts.h"

#include <string.h>

#define HEADER_SIZE 12
#define ROW_SIZE 8
/* length, CIE pointer, start, size: 4 bytes each. */
#define FDE_START 8
#define FDE_SIZE 16

/* DW_EH_PE_pcrel | sdata4, udata4, datarel | sdata4 (LSB Core 10.5.1). */
static const uint8_t usual[4] = { 1, 0x1b, 0x03, 0x3b };

static int32_t
signed_at(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

struct fde_table
fde_table_of(const struct elf *elf)
{
	const addr_t header = elf->eh_frame_hdr;
	const uint8_t *bytes =
		header ? elf_span(elf, header, HEADER_SIZE) : NULL;
	struct bytes rows;
	uint32_t count;

	if (!bytes || memcmp(bytes, usual, sizeof(usual)) != 0)
		return (struct fde_table){ elf, NULL, 0 };
	memcpy(&count, bytes + HEADER_SIZE - sizeof(count), sizeof(count));
	rows = elf_bytes(elf, header + HEADER_SIZE, (uint64_t)count * ROW_SIZE);
	return (struct fde_table){ elf, rows.at, rows.count / ROW_SIZE };
}

static addr_t
row_start(const struct fde_table *table, size_t i)
{
	return table->elf->eh_frame_hdr +
	       (addr_t)(int64_t)signed_at(table->rows + i * ROW_SIZE);
}

/* The number of rows that start at or before address. */
static size_t
rows_until(const struct fde_table *table, addr_t address)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (row_start(table, middle) <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

bool
fde_covering(const struct fde_table *table, addr_t address, addr_t *ret_start,
	     addr_t *ret_end)
{
	const size_t until = rows_until(table, address);
	addr_t start, description, size;
	const uint8_t *row, *bytes;

	if (!until)
		return false;
	row = table->rows + (until - 1) * ROW_SIZE;
	start = row_start(table, until - 1);
	description =
		table->elf->eh_frame_hdr + (addr_t)(int64_t)signed_at(row + 4);
	bytes = elf_span(table->elf, description, FDE_SIZE);
	if (!bytes)
		return false;
	size = (uint32_t)signed_at(bytes + FDE_START + 4);
	if (description + FDE_START +
			    (addr_t)(int64_t)signed_at(bytes + FDE_START) !=
		    start ||
	    address - start >= size)
		return false;
	*ret_start = start;
	*ret_end = start + size;
	return true;
}

bool
fde_starts_at(const struct fde_table *table, addr_t address)
{
	addr_t start, end;

	return fde_covering(table, address, &start, &end) && start == address;
}

bool
image_code_around(const struct image *image, addr_t address, addr_t *ret_start,
		  addr_t *ret_end)
{
	struct fde_table table = fde_table_of(image_elf(image));

	return fde_covering(&table, address, ret_start, ret_end);
}
