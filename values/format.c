/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a format like printf(3), to find its arguments:
 *
 *	% [N$] [flags] [width | * | *N$] [. [precision | * | *N$]] [size] letter
 *
 * A table says what each letter takes; a size changes the number of bytes. An
 * unknown letter (registered by the program, or an error) ends the reading,
 * because the following arguments cannot be known.
 *
 * The arguments may be numbered (%2$s). They are stored by number, in any
 * order. An argument whose number is in no directive is taken as a long, as in
 * the C library.
 */
#include "values/format.h"

#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/format_scan.h"

#include <stdbool.h>
#include <string.h>

enum taken {
	TAKEN_INT,
	TAKEN_FLOAT,
	TAKEN_CHARACTER,
	TAKEN_TEXT,
	TAKEN_ADDRESS,
	TAKEN_NOTHING
};

struct argument_letter {
	const char *letters;
	enum taken taken;
	bool is_signed;
	bool wide; /* the letter means the same as with an l before it */
	const struct lens *lens;
};

static const struct lens hexadecimal = { .kind = LENS_HEX };
static const struct lens octal = { .kind = LENS_OCT };
static const struct lens binary = { .kind = LENS_BIN };
static const struct lens character = { .kind = LENS_CHR };
static const struct lens address = { .kind = LENS_ADDRESS };
static const struct lens text = { .kind = LENS_STRING, .stops_at_nul = true };

static const struct argument_letter letters[] = {
	{ "di", TAKEN_INT, .is_signed = true },
	{ "u", .taken = TAKEN_INT },
	{ "xX", TAKEN_INT, .lens = &hexadecimal },
	{ "o", TAKEN_INT, .lens = &octal },
	{ "bB", TAKEN_INT, .lens = &binary },
	{ "fFeEgG", .taken = TAKEN_FLOAT },
	{ "aA", TAKEN_FLOAT, .lens = &hexadecimal },
	{ "c", TAKEN_CHARACTER, .lens = &character },
	{ "C", TAKEN_CHARACTER, .lens = &character, .wide = true },
	{ "s", TAKEN_TEXT, .lens = &text },
	{ "S", TAKEN_TEXT, .lens = &text, .wide = true },
	{ "pn", TAKEN_ADDRESS, .lens = &address },
	{ "m%", .taken = TAKEN_NOTHING },
};

/* A width or precision: a number, or an int argument. */
static long
scan_count(struct scan *scan, long *ret_argument)
{
	*ret_argument = -1;
	if (!scan_accept(scan, "*"))
		return scan_accept_number(scan);
	*ret_argument = scan_note(scan, scan_accept_position(scan),
				  scan_integer(scan, 4, true, NULL));
	return -1;
}

static const struct argument_letter *
scan_letter(struct scan *scan)
{
	for (size_t i = 0; i < array_size(letters); i++) {
		if (scan_accept_any(scan, letters[i].letters))
			return &letters[i];
	}
	return NULL;
}

static struct type *
type_of(struct scan *scan, const struct argument_letter *letter, unsigned bytes,
	bool is_long_double)
{
	const bool is_wide = letter->wide || scan->is_long;
	struct type *type;

	switch (letter->taken) {
	case TAKEN_INT:
		return scan_integer(scan, bytes, letter->is_signed,
				    letter->lens);
	case TAKEN_FLOAT:
		return scan_float(scan, 8, is_long_double, letter->lens);
	case TAKEN_CHARACTER:
		return scan_integer(scan, is_wide ? 4 : 1, false, letter->lens);
	case TAKEN_TEXT:
		type = scan_integer(scan, is_wide ? 4 : 1, true, NULL);
		type->is_char = true;
		break;
	default:
		type = scan_integer(scan, 1, true, NULL);
	}
	type = type_pointer_of(scan->arena, scan->word, type);
	type->lens = letter->lens;
	return type;
}

/* Reads what follows the '%'. False if it is not understood. */
static bool
scan_directive(struct scan *scan)
{
	long index = scan_accept_position(scan), precision = -1, width;
	long precision_argument = -1, width_argument;
	const struct argument_letter *letter;
	bool is_long_double;
	unsigned bytes;

	while (scan_accept_any(scan, "#0- +'I"))
		;
	width = scan_count(scan, &width_argument);
	if (scan_accept(scan, ".")) {
		precision = scan_count(scan, &precision_argument);
		if (precision < 0 && precision_argument < 0)
			precision = 0;
	}
	is_long_double = scan->at < scan->end && *scan->at == 'L';
	bytes = scan_size(scan);
	letter = scan_letter(scan);
	if (!letter)
		return false;
	if (letter->taken == TAKEN_NOTHING)
		return true;
	index = scan_note(scan, index,
			  type_of(scan, letter, bytes, is_long_double));
	if (index < 0)
		return false;
	scan->found.at[index].precision = precision;
	scan->found.at[index].precision_argument = precision_argument;
	scan->found.at[index].width = width;
	scan->found.at[index].width_argument = width_argument;
	return true;
}

const struct format_argument *
format_arguments(const char *format, size_t length, unsigned word,
		 struct arena *arena, size_t *ret_count)
{
	struct scan scan;

	scan_init(&scan, format, length, arena, word);
	while (scan_to_directive(&scan)) {
		if (!scan_directive(&scan))
			break;
	}
	return scan_finish(&scan, ret_count);
}
