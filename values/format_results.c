/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a format like scanf(3), to find what it fills in:
 *
 *	% [N$] [*] ['] [m] [width] [size] ( letter | "[" set "]" )
 *
 * Each directive takes a pointer, unless it has a '*'. scanf() returns the
 * number of conversions: the n-th conversion was done if the result is at least
 * n. A %n was done if the conversion after it was done; otherwise we do not
 * know.
 *
 * As with printf, what is not understood ends the reading.
 */
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/format_scan.h"

#include <stdbool.h>
#include <string.h>

enum filled {
	FILLED_INT,
	FILLED_FLOAT,
	FILLED_TEXT,
	FILLED_CHARACTERS,
	FILLED_ADDRESS,
	FILLED_COUNT, /* %n */
	FILLED_NOTHING,
};

struct result_letter {
	const char *letters;
	enum filled filled;
	bool is_signed;
	bool wide; /* S means ls, and C means lc */
	const struct lens *lens;
};

/* The part of a directive before its letter. */
struct directive {
	bool suppressed; /* '*' */
	bool allocates;	 /* 'm' */
	bool is_long;
	bool is_long_double;
	long width; /* the given width, or -1 */
	unsigned bytes;
};

static const struct lens hexadecimal = { .kind = LENS_HEX };
static const struct lens octal = { .kind = LENS_OCT };
static const struct lens address = { .kind = LENS_ADDRESS };
static const struct lens text = { .kind = LENS_STRING, .stops_at_nul = true };

static const struct result_letter letters[] = {
	{ "di", FILLED_INT, .is_signed = true },
	{ "u", .filled = FILLED_INT },
	{ "xX", FILLED_INT, .lens = &hexadecimal },
	{ "o", FILLED_INT, .lens = &octal },
	{ "aAeEfFgG", .filled = FILLED_FLOAT },
	{ "s[", .filled = FILLED_TEXT },
	{ "S", FILLED_TEXT, .wide = true },
	{ "c", .filled = FILLED_CHARACTERS },
	{ "C", FILLED_CHARACTERS, .wide = true },
	{ "p", .filled = FILLED_ADDRESS },
	{ "n", FILLED_COUNT, .is_signed = true },
	{ "%", .filled = FILLED_NOTHING },
};

static void
read_directive(struct scan *scan, struct directive *directive)
{
	directive->suppressed = false;
	while (scan_accept_any(scan, "*'"))
		directive->suppressed |= scan->at[-1] == '*';
	directive->allocates = scan_accept(scan, "m");
	directive->width = scan_accept_number(scan);
	directive->allocates |= scan_accept(scan, "m");
	directive->is_long_double = scan->at < scan->end && *scan->at == 'L';
	directive->bytes = scan_size(scan);
	directive->is_long = scan->is_long;
}

/* Reads the letter, and after '[' the set. */
static const struct result_letter *
read_letter(struct scan *scan)
{
	const struct result_letter *letter = NULL;

	for (size_t i = 0; i < array_size(letters) && !letter; i++) {
		if (scan_accept_any(scan, letters[i].letters))
			letter = &letters[i];
	}
	if (!letter || scan->at[-1] != '[')
		return letter;
	scan_accept(scan, "^");
	scan_accept(scan, "]");
	while (scan->at < scan->end && *scan->at != ']')
		scan->at++;
	return scan_accept(scan, "]") ? letter : NULL;
}

/* A lens for exactly `width` characters, without a NUL. */
static const struct lens *
exactly(struct arena *arena, long width)
{
	struct lens *lens = arena_zalloc(arena, sizeof(*lens));
	struct expr *length = arena_zalloc(arena, sizeof(*length));

	length->kind = EXPR_NUMBER;
	length->number = width < 0 ? 1 : width;
	lens->kind = LENS_STRING;
	lens->length = length;
	return lens;
}

static struct type *
pointer_to_text(struct scan *scan, const struct result_letter *letter,
		const struct directive *directive)
{
	bool wide = letter->wide || directive->is_long;
	struct type *type = scan_integer(scan, wide ? 4 : 1, true, NULL);

	type->is_char = true;
	type = type_pointer_of(scan->arena, scan->word, type);
	type->lens = letter->filled == FILLED_TEXT
			     ? &text
			     : exactly(scan->arena, directive->width);
	return directive->allocates
		       ? type_pointer_of(scan->arena, scan->word, type)
		       : type;
}

static struct type *
pointer_to(struct scan *scan, const struct result_letter *letter,
	   const struct directive *directive)
{
	unsigned bytes = directive->bytes;
	struct type *type;

	switch (letter->filled) {
	case FILLED_TEXT:
	case FILLED_CHARACTERS:
		return pointer_to_text(scan, letter, directive);
	case FILLED_FLOAT:
		type = scan_float(scan, bytes, directive->is_long_double, NULL);
		break;
	case FILLED_ADDRESS:
		type = type_pointer_of(scan->arena, scan->word, type_void());
		type->lens = &address;
		break;
	default:
		type = scan_integer(scan, bytes, letter->is_signed,
				    letter->lens);
	}
	return type_pointer_of(scan->arena, scan->word, type);
}

/* Reads what follows the '%'. False if it is not understood. */
static bool
scan_directive(struct scan *scan, long *conversions)
{
	long index = scan_accept_position(scan);
	struct directive directive;
	const struct result_letter *letter;

	read_directive(scan, &directive);
	letter = read_letter(scan);
	if (!letter)
		return false;
	if (letter->filled == FILLED_NOTHING || directive.suppressed)
		return true;
	index = scan_note(scan, index, pointer_to(scan, letter, &directive));
	if (index < 0)
		return false;
	*conversions += letter->filled != FILLED_COUNT;
	scan->found.at[index].conversion =
		*conversions + (letter->filled == FILLED_COUNT);
	return true;
}

const struct format_argument *
format_results(const char *format, size_t length, unsigned word,
	       struct arena *arena, size_t *ret_count)
{
	long conversions = 0;
	struct scan scan;

	scan_init(&scan, format, length, arena, word);
	while (scan_to_directive(&scan)) {
		if (!scan_directive(&scan, &conversions))
			break;
	}
	return scan_finish(&scan, ret_count);
}
