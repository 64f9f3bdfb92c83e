/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wide character takes two cells. If only its left half has room, a blank is
 * in its place. A character without a width (a combining accent) is left out,
 * because a cell has one character.
 */
#include "output/live/cells.h"

#include "base/utf8.h"
#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

static const struct cell blank = { " ", 1, CELL_PLAIN };

void
cells_init(struct cells *cells, unsigned height, unsigned width)
{
	size_t count = (size_t)height * width;

	*cells = (struct cells){ .height = height, .width = width };
	if (count == 0)
		return;
	cells->at = xreallocarray(NULL, count, sizeof(cells->at[0]));
	for (size_t i = 0; i < count; i++)
		cells->at[i] = blank;
}

void
cells_release(struct cells *cells)
{
	free(cells->at);
	*cells = (struct cells){ 0 };
}

static struct cell *
place_of(struct cells *cells, unsigned row, unsigned column)
{
	return &cells->at[(size_t)row * cells->width + column];
}

/* The character at the start of the text. *ret_count is the number of its
 * bytes. */
static unsigned
width_of_character(const char *text, unsigned *ret_count)
{
	size_t length = strnlen(text, 4);
	uint32_t character;

	*ret_count = 1;
	if (*text & 0x80)
		*ret_count = utf8_decode(text, length, &character);
	if (*ret_count == 0) {
		*ret_count = 1;
		return 1;
	}
	return (unsigned)utf8_columns(text, *ret_count);
}

unsigned
cells_put(struct cells *cells, unsigned row, unsigned column,
	  enum cell_style style, const char *text)
{
	if (row >= cells->height)
		return column;
	while (*text && column < cells->width) {
		unsigned count, width = width_of_character(text, &count);
		struct cell *cell = place_of(cells, row, column);

		if (width > 0) {
			*cell = blank;
			cell->style = (uint8_t)style;
		}
		if (width > 0 && column + width <= cells->width &&
		    (count > 1 || !(*text & 0x80))) {
			memcpy(cell->bytes, text, count);
			cell->count = (uint8_t)count;
		}
		if (width == 2 && column + 1 < cells->width) {
			cell[1] = *cell;
			cell[1].count = 0;
		}
		column += width;
		text += count;
	}
	return column < cells->width ? column : cells->width;
}

void
cells_paint(struct cells *cells, unsigned row, enum cell_style style)
{
	if (row >= cells->height)
		return;
	for (unsigned i = 0; i < cells->width; i++)
		place_of(cells, row, i)->style = (uint8_t)style;
}

void
cells_add_row(struct str *to, const struct cells *cells, unsigned row)
{
	size_t start = to->length;

	for (unsigned i = 0; i < cells->width; i++) {
		const struct cell *cell =
			&cells->at[(size_t)row * cells->width + i];

		str_add_bytes(to, cell->bytes, cell->count);
	}
	while (to->length > start && to->text[to->length - 1] == ' ')
		str_cut(to, to->length - 1);
}
