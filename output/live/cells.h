/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Cells are the content of a screen: a character and a style for each place.
 * They are drawn without a terminal, which shows them later.
 */
#ifndef OUTPUT_LIVE_CELLS_H
#define OUTPUT_LIVE_CELLS_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum cell_style {
	CELL_PLAIN,
	CELL_TITLE,  /* titles of columns and parts */
	CELL_CHOSEN, /* the row that the user has chosen */
	CELL_ERROR,
	CELL_QUIET, /* hints */
	CELL_STYLES
};

struct cell {
	/* A character in UTF-8. Count 0: the right half of a wide character. */
	char bytes[4];
	uint8_t count;
	uint8_t style; /* enum cell_style */
};

struct cells {
	unsigned height, width;
	struct cell *at; /* row by row */
	/* where the user types, if the cursor is shown */
	bool cursor;
	unsigned cursor_row, cursor_column;
};

/* Makes blank cells. A screen without a row or a column has no cells. */
void cells_init(struct cells *cells, unsigned height, unsigned width);
void cells_release(struct cells *cells);

/*
 * Writes the text, which has no control characters, from this place to the
 * right, as far as there is room. Returns the column behind it. Outside of the
 * screen nothing is written.
 */
unsigned cells_put(struct cells *cells, unsigned row, unsigned column,
		   enum cell_style style, const char *text);
/* Sets the style of a whole row. */
void cells_paint(struct cells *cells, unsigned row, enum cell_style style);
/* Adds the text of a row, without the blanks at its end. */
void cells_add_row(struct str *to, const struct cells *cells, unsigned row);

#endif
