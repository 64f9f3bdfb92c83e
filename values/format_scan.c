/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the parts of directives, which printf and scanf share. */
#include "values/format_scan.h"

#include "conf/model/lens.h"
#include "conf/model/type.h"

#include <string.h>

/* The most arguments: NL_ARGMAX in <limits.h>. Larger numbers are invalid. */
#define ARGUMENTS_MOST 4096
#define NUMBER_MOST 100000000L

static const struct lens guess = { .kind = LENS_GUESS };

/* The size modifiers of a directive; longer ones come first. bytes is 0 if the
 * size is that of a long. */
static const struct size {
	const char *text;
	unsigned bytes;
} sizes[] = {
	{ "hh", 1 }, { "h", 2 }, { "ll", 8 }, { "l", 0 }, { "q", 8 },
	{ "L", 8 },  { "j", 8 }, { "z", 0 },  { "Z", 0 }, { "t", 0 },
};

void
scan_init(struct scan *scan, const char *format, size_t length,
	  struct arena *arena, unsigned word)
{
	*scan = (struct scan){ .at = format,
			       .end = format + length,
			       .arena = arena,
			       .word = word };
}

bool
scan_to_directive(struct scan *scan)
{
	if (scan->at == scan->end)
		return false;
	scan->at = memchr(scan->at, '%', (size_t)(scan->end - scan->at));
	if (scan->at)
		scan->at++;
	else
		scan->at = scan->end;
	return scan->at < scan->end;
}

const struct format_argument *
scan_finish(struct scan *scan, size_t *ret_count)
{
	size_t count = scan->found.count;
	struct format_argument *found =
		arena_copy(scan->arena, scan->found.at, count * sizeof(*found));

	vec_release(&scan->found);
	*ret_count = count;
	return found;
}

bool
scan_accept(struct scan *scan, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(scan->end - scan->at) < length ||
	    memcmp(scan->at, word, length))
		return false;
	scan->at += length;
	return true;
}

bool
scan_accept_any(struct scan *scan, const char *characters)
{
	if (scan->at == scan->end || !*scan->at ||
	    !strchr(characters, *scan->at))
		return false;
	scan->at++;
	return true;
}

/* Reads a number; -1 if there is none. */
long
scan_accept_number(struct scan *scan)
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

/* "N$": the index. If there is none, returns -1 and takes nothing. */
long
scan_accept_position(struct scan *scan)
{
	const char *before = scan->at;
	long number = scan_accept_number(scan);

	if (number > 0 && number <= ARGUMENTS_MOST && scan_accept(scan, "$"))
		return number - 1;
	scan->at = before;
	return -1;
}

struct type *
scan_integer(struct scan *scan, unsigned bytes, bool is_signed,
	     const struct lens *lens)
{
	struct type *type = type_int(scan->arena, bytes, is_signed);

	type->lens = lens;
	return type;
}

/* A long double has 16 bytes on x86-64, and 12 on i386 (their psABIs). */
struct type *
scan_float(struct scan *scan, unsigned bytes, bool is_long_double,
	   const struct lens *lens)
{
	const unsigned long_bytes = scan->word == sizeof(uint32_t) ? 12 : 16;
	struct type *type =
		scan_integer(scan, is_long_double ? long_bytes : bytes, true,
			     lens);

	type->kind = TYPE_FLOAT;
	return type;
}

/* Notes that argument index, or the next one if it is -1, has this type. */
long
scan_note(struct scan *scan, long index, struct type *type)
{
	if (index < 0)
		index = scan->next++;
	if (index >= ARGUMENTS_MOST)
		return -1;
	while (scan->found.count <= (size_t)index) {
		struct format_argument gap = {
			.type = scan_integer(scan, scan->word, true, &guess),
			.precision = -1,
			.precision_argument = -1,
			.width = -1,
			.width_argument = -1,
		};

		vec_push(&scan->found, gap);
	}
	scan->found.at[index].type = type;
	return index;
}

unsigned
scan_size(struct scan *scan)
{
	scan->is_long = false;
	for (size_t i = 0; i < array_size(sizes); i++) {
		const unsigned bytes = sizes[i].bytes;

		if (!scan_accept(scan, sizes[i].text))
			continue;
		scan->is_long = bytes == 0 || bytes > sizeof(int);
		return bytes ? bytes : scan->word;
	}
	return sizeof(int);
}
