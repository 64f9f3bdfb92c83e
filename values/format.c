/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading a format as printf(3) does, for its arguments and not for its text:
 *
 *	% [N$] [flags] [width | * | *N$] [. [precision | * | *N$]] [size] letter
 *
 * What a letter takes is a table; sizes change the number of bytes. A letter
 * that is in no table (a format registered by the program, a broken one) ends
 * the reading: what follows cannot be told, and nothing is invented.
 *
 * The arguments may be numbered (%2$s), so they are noted by number, in
 * whatever order they come; one that no directive mentions is a long, which
 * is where the C library would leave it, too.
 */
#include "values/format.h"

#include "base/vec.h"
#include "conf/lens.h"
#include "conf/type.h"

#include <stdbool.h>
#include <string.h>

/* limits.h's NL_ARGMAX: numbers above are nonsense. */
#define ARGUMENTS_MOST 4096
#define NUMBER_MOST 100000000L

enum taken {
	TAKEN_INT,
	TAKEN_FLOAT,
	TAKEN_CHARACTER,
	TAKEN_TEXT,
	TAKEN_ADDRESS,
	TAKEN_NOTHING
};

struct letter {
	const char *letters;
	enum taken taken;
	bool is_signed;
	bool wide; /* as if there were an l */
	const struct lens *lens;
};

static const struct lens hexadecimal = { .kind = LENS_HEX };
static const struct lens octal = { .kind = LENS_OCT };
static const struct lens binary = { .kind = LENS_BIN };
static const struct lens character = { .kind = LENS_CHR };
static const struct lens guess = { .kind = LENS_GUESS };
static const struct lens address = { .kind = LENS_ADDRESS };
static const struct lens text = { .kind = LENS_STRING, .stops_at_nul = true };

static const struct letter letters[] = {
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

/* The longer ones first. */
static const struct size {
	const char *text;
	unsigned bytes;
} sizes[] = {
	{ "hh", 1 }, { "h", 2 }, { "ll", 8 }, { "l", 8 }, { "q", 8 },
	{ "L", 8 },  { "j", 8 }, { "z", 8 },  { "Z", 8 }, { "t", 8 },
};

struct scan {
	const char *at;
	const char *end;
	struct arena *arena;
	long next; /* the argument that one without a number takes */
	vec_of(struct format_argument) found;
};

static bool
accept(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length ||
	    memcmp(scan->at, word, length))
		return false;
	scan->at += length;
	return true;
}

static bool
accept_any(struct scan *scan, const char *characters)
{
	if (scan->at == scan->end || !*scan->at ||
	    !strchr(characters, *scan->at))
		return false;
	scan->at++;
	return true;
}

/* -1 where there is none. */
static long
accept_number(struct scan *scan)
{
	long number = -1;

	for (; scan->at < scan->end; scan->at++) {
		if (*scan->at < '0' || *scan->at > '9')
			break;
		if (number < NUMBER_MOST)
			number = (number < 0 ? 0 : number * 10) + *scan->at -
				 '0';
	}
	return number;
}

/* "N$": the index; -1 and nothing taken where there is none. */
static long
accept_position(struct scan *scan)
{
	const char *before = scan->at;
	long number = accept_number(scan);

	if (number > 0 && number <= ARGUMENTS_MOST && accept(scan, "$"))
		return number - 1;
	scan->at = before;
	return -1;
}

static struct type *
integer(struct scan *scan, unsigned bytes, bool is_signed,
	const struct lens *lens)
{
	struct type *type = type_int(scan->arena, bytes, is_signed);

	type->lens = lens;
	return type;
}

/* Notes that argument index, or the next where it is -1, has this type. */
static long
note(struct scan *scan, long index, struct type *type)
{
	if (index < 0)
		index = scan->next++;
	if (index >= ARGUMENTS_MOST)
		return -1;
	while (scan->found.count <= (size_t)index) {
		struct format_argument gap = {
			.type = integer(scan, 8, true, &guess),
			.precision = -1,
			.precision_argument = -1,
		};

		vec_push(&scan->found, gap);
	}
	scan->found.at[index].type = type;
	return index;
}

/* A width or precision: a number, or an int among the arguments. */
static long
scan_count(struct scan *scan, long *ret_argument)
{
	*ret_argument = -1;
	if (!accept(scan, "*"))
		return accept_number(scan);
	*ret_argument =
		note(scan, accept_position(scan), integer(scan, 4, true, NULL));
	return -1;
}

static unsigned
scan_size(struct scan *scan)
{
	for (size_t i = 0; i < array_size(sizes); i++) {
		if (accept(scan, sizes[i].text))
			return sizes[i].bytes;
	}
	return 4;
}

static const struct letter *
scan_letter(struct scan *scan)
{
	for (size_t i = 0; i < array_size(letters); i++) {
		if (accept_any(scan, letters[i].letters))
			return &letters[i];
	}
	return NULL;
}

static struct type *
type_of(struct scan *scan, const struct letter *letter, unsigned bytes,
	bool is_long_double)
{
	struct type *type;

	switch (letter->taken) {
	case TAKEN_INT:
		return integer(scan, bytes, letter->is_signed, letter->lens);
	case TAKEN_FLOAT:
		type = integer(scan, is_long_double ? 16 : 8, true,
			       letter->lens);
		type->kind = TYPE_FLOAT;
		return type;
	case TAKEN_CHARACTER:
		return integer(scan, letter->wide || bytes == 8 ? 4 : 1, false,
			       letter->lens);
	case TAKEN_TEXT:
		type = integer(scan, letter->wide || bytes == 8 ? 4 : 1, true,
			       NULL);
		type->is_char = true;
		break;
	default:
		type = integer(scan, 1, true, NULL);
	}
	type = type_pointer(scan->arena, type);
	type->lens = letter->lens;
	return type;
}

/* Behind the '%'. False where it cannot be understood. */
static bool
scan_directive(struct scan *scan)
{
	long index = accept_position(scan), precision = -1, unused_argument;
	long precision_argument = -1;
	const struct letter *letter;
	bool is_long_double;
	unsigned bytes;

	while (accept_any(scan, "#0- +'I"))
		;
	scan_count(scan, &unused_argument);
	if (accept(scan, ".")) {
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
	index = note(scan, index, type_of(scan, letter, bytes, is_long_double));
	if (index < 0)
		return false;
	scan->found.at[index].precision = precision;
	scan->found.at[index].precision_argument = precision_argument;
	return true;
}

const struct format_argument *
format_arguments(const char *format, size_t length, struct arena *arena,
		 size_t *ret_count)
{
	struct scan scan = { format, format + length, arena, 0, { 0 } };
	struct format_argument *found;

	while (scan.at < scan.end) {
		scan.at = memchr(scan.at, '%', (size_t)(scan.end - scan.at));
		if (!scan.at)
			break;
		scan.at++;
		if (!scan_directive(&scan))
			break;
	}
	*ret_count = scan.found.count;
	found = arena_copy(arena, scan.found.at,
			   scan.found.count * sizeof(*found));
	vec_release(&scan.found);
	return found;
}
