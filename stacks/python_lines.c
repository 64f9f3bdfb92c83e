/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of lines has one of three formats. Each is a sequence of steps from
 * the function's first line on (Objects/lnotab_notes.txt, Objects/locations.md
 * in CPython):
 *
 *	lnotab	   pairs: how many bytes and lines to add (signed); the
 *		   line changes behind the bytes
 *	linetable  pairs the other way round: so many bytes have this line;
 *		   -128 is no line at all
 *	locations  entries whose first byte has the high bit and the others
 *		   have not: 1 ffff nnn, n + 1 units of two bytes in format f,
 *		   then a number that depends on it
 *
 *			f 0-9	same line	   13	signed line
 *			10-12	f - 10 lines on	   14	signed line, more
 *			15	no line
 *
 *		   Numbers have six bits a byte, lowest first, 0x40 says that
 *		   more follow; a signed one has its sign in the lowest bit.
 *
 * The table is read a piece at a time, as far as it is needed.
 */
#include "stacks/python_lines.h"

#define PIECE 128u

struct line_table {
	struct peek *peek;
	addr_t at;
	uint64_t left; /* how many bytes are left at `at` */
	unsigned next, have;
	uint8_t piece[PIECE];
};

/* The next byte, -1 at the end. */
static int
look_ahead(struct line_table *table)
{
	if (table->next == table->have) {
		table->have =
			table->left < PIECE ? (unsigned)table->left : PIECE;
		table->next = 0;
		if (table->have == 0 ||
		    !peek_bytes(table->peek, table->at, table->piece,
				table->have)) {
			table->have = 0;
			table->left = 0;
			return -1;
		}
		table->at += table->have;
		table->left -= table->have;
	}
	return table->piece[table->next];
}

static int
next_byte(struct line_table *table)
{
	int byte = look_ahead(table);

	if (byte >= 0)
		table->next++;
	return byte;
}

static int64_t
line_of_lnotab(struct line_table *table, int64_t line, int64_t at)
{
	int64_t from = 0;

	for (;;) {
		int bytes = next_byte(table);
		int lines = next_byte(table);

		if (bytes < 0 || lines < 0 || from + bytes > at)
			return line;
		from += bytes;
		line += (int8_t)lines;
	}
}

static int64_t
line_of_linetable(struct line_table *table, int64_t line, int64_t at)
{
	int64_t until = 0;

	for (;;) {
		int bytes = next_byte(table);
		int lines = next_byte(table);

		if (bytes < 0 || lines < 0)
			return 0;
		until += bytes;
		if ((int8_t)lines != INT8_MIN)
			line += (int8_t)lines;
		if (at < until)
			return (int8_t)lines == INT8_MIN ? 0 : line;
	}
}

static int64_t
signed_number(struct line_table *table)
{
	uint64_t number = 0;
	int byte;

	for (unsigned shift = 0; shift < 36; shift += 6) {
		byte = next_byte(table);
		if (byte < 0)
			break;
		number |= (uint64_t)(byte & 0x3f) << shift;
		if (!(byte & 0x40))
			break;
	}
	return number & 1 ? -(int64_t)(number >> 1) : (int64_t)(number >> 1);
}

static int64_t
line_of_locations(struct line_table *table, int64_t line, int64_t at)
{
	int64_t until = 0;
	int head;

	while ((head = next_byte(table)) >= 0) {
		int format = head >> 3 & 15;

		until += 2 * ((head & 7) + 1);
		if (format == 13 || format == 14)
			line += signed_number(table);
		else if (format >= 10 && format <= 12)
			line += format - 10;
		if (at < until)
			return format == 15 ? 0 : line;
		while (look_ahead(table) >= 0 && look_ahead(table) < 0x80)
			next_byte(table);
	}
	return 0;
}

unsigned
python_line(struct peek *peek, enum python_lines kind, addr_t table,
	    uint64_t size, unsigned first, int64_t at)
{
	static int64_t (*const find[])(struct line_table *, int64_t,
				       int64_t) = {
		[PYTHON_LNOTAB] = line_of_lnotab,
		[PYTHON_LINETABLE] = line_of_linetable,
		[PYTHON_LOCATIONS] = line_of_locations,
	};
	struct line_table of = { .peek = peek, .at = table, .left = size };
	int64_t line = at < 0 ? first : find[kind](&of, first, at);

	return line > 0 && line <= INT32_MAX ? (unsigned)line : 0;
}
