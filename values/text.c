/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the text that a value is, or points to. Two limits are separate: how
 * many characters it has at most (an expression in the prototype, or unknown)
 * and how many are wanted. One character more than wanted is read, to tell
 * whether the text is cut.
 *
 * Nearly every text is within one piece of the capture and is returned without
 * copying. A text that crosses pages is copied, and wide characters are
 * converted to UTF-8. A number that is no Unicode character (a lone surrogate,
 * a number too large) is converted by the same rule. This gives bytes that are
 * not valid UTF-8, but nothing is lost.
 *
 * A page that cannot be read cuts the text, as a limit does.
 */
#include "values/value.h"

#include "base/str.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/capture.h"

#include <errno.h>
#include <string.h>

/* The longest text, whatever limit the user has set. */
#define CHARACTERS_MOST ((size_t)1 << 26)

/* What is known of a text before it is read. */
struct text_source {
	struct value at; /* the text's first character */
	unsigned unit;	 /* bytes per character */
	uint64_t length; /* characters at most */
	bool stops_at_nul;
};

/* The raw characters that were read of the tracee. */
struct text_run {
	const unsigned char *bytes;
	size_t length;
	bool torn; /* ends at an unreadable page */
};

static const struct lens *
text_lens(const struct lens *lens)
{
	while (lens && !lens_is_text(lens->kind))
		lens = lens->under;
	return lens;
}

static int
find_pointed(const struct value *value, const struct lens *lens,
	     struct text_source *source)
{
	int r = value_target(value, &source->at);

	if (r < 0)
		return r;
	source->length = UINT64_MAX;
	if (lens->length)
		r = value_evaluate_length(value, lens->length, &source->length);
	return source->at.address ? r : -EFAULT;
}

static int
find_in_place(const struct value *value, struct text_source *source)
{
	bool zero;

	source->at = *value;
	return value_length(value, &source->length, &zero);
}

static int
find_source(const struct value *value, struct text_source *source)
{
	const struct lens *lens = text_lens(value->lens);
	const struct type *of = value->type->to;
	int r = -EDOM;

	if (!lens || !of)
		return r;
	if (value->type->kind == TYPE_POINTER)
		r = find_pointed(value, lens, source);
	else if (value->type->kind == TYPE_ARRAY)
		r = find_in_place(value, source);
	if (r < 0)
		return r;
	source->unit = of->kind == TYPE_INT ? of->bytes : 1;
	source->stops_at_nul = lens->stops_at_nul;
	if (source->unit != 2 && source->unit != 4)
		source->unit = 1;
	return 0;
}

static const unsigned char *
peek(const struct value *value, size_t offset, size_t want, size_t *ret_have)
{
	if (value->bytes && offset < value->room) {
		size_t room = value->room - offset;

		*ret_have = room < want ? room : want;
		return value->bytes + offset;
	}
	if (!value->address || !value->capture)
		return NULL;
	return capture_peek(value->capture, value->address + offset, want,
			    ret_have);
}

/* The offset of the first NUL character at or after byte `from`, or length. */
static size_t
find_nul(const unsigned char *bytes, size_t from, size_t length, unsigned unit)
{
	static const unsigned char zero[4];
	const unsigned char *nul;

	if (unit == 1) {
		nul = memchr(bytes + from, 0, length - from);
		return nul ? (size_t)(nul - bytes) : length;
	}
	for (from -= from % unit; from + unit <= length; from += unit) {
		if (!memcmp(bytes + from, zero, unit))
			return from;
	}
	return length;
}

/* Copies a text that is in several pieces of the capture. */
static int
put_together(const struct text_source *source, size_t want,
	     struct text_run *run)
{
	struct str str cleanup(str_release);
	size_t length = 0;

	str_init(&str);
	run->torn = false;
	while (str.length < want && length == str.length) {
		size_t have;
		const unsigned char *bytes =
			peek(&source->at, str.length, want - str.length, &have);

		if (!bytes) {
			run->torn = true;
			break;
		}
		str_add_bytes(&str, (const char *)bytes, have);
		length = source->stops_at_nul
				 ? find_nul((const unsigned char *)str.text,
					    length, str.length, source->unit)
				 : str.length;
	}
	run->length = length - length % source->unit;
	run->bytes = arena_copy(source->at.capture->arena, str.text, length);
	return 0;
}

static int
gather(const struct text_source *source, size_t want, struct text_run *run)
{
	size_t have, length;

	*run = (struct text_run){ 0 };
	if (want == 0)
		return 0;
	run->bytes = peek(&source->at, 0, want, &have);
	if (!run->bytes)
		return -EFAULT;
	length = source->stops_at_nul
			 ? find_nul(run->bytes, 0, have, source->unit)
			 : have;
	if (length == have && have < want && source->at.capture)
		return put_together(source, want, run);
	run->length = length - length % source->unit;
	run->torn = length == have && have < want;
	return 0;
}

/* Adds a character as UTF-8, by the rule of RFC 3629, section 3. Surrogates and
 * numbers above 0x10ffff, which the RFC forbids, are added by the same rule. */
static void
add_utf8(struct str *to, uint32_t character)
{
	unsigned more = 0;
	unsigned char first = 0;

	if (character < 0x80) {
		str_add_char(to, (char)character);
		return;
	}
	for (uint32_t left = character; left >> (6 - more); left >>= 6)
		more++;
	first = (unsigned char)~(0xff >> (more + 1));
	if (more < 6)
		first |= (unsigned char)(character >> (6 * more));
	str_add_char(to, (char)first);
	while (more-- > 0)
		str_add_char(to,
			     (char)(0x80 | (character >> (6 * more) & 0x3f)));
}

static uint32_t
character_at(const struct text_run *run, size_t *at, unsigned unit)
{
	uint32_t character = 0, low = 0;

	memcpy(&character, run->bytes + *at, unit);
	*at += unit;
	if (unit != 2 || character >> 10 != 0xd800 >> 10 ||
	    *at + unit > run->length)
		return character;
	memcpy(&low, run->bytes + *at, unit);
	if (low >> 10 != 0xdc00 >> 10)
		return character;
	*at += unit;
	return 0x10000 + ((character & 0x3ff) << 10) + (low & 0x3ff);
}

static int
narrow(const struct text_source *source, const struct text_run *run,
       struct value_chars *ret_text)
{
	struct str str cleanup(str_release);

	if (!source->at.capture)
		return -EFAULT;
	str_init(&str);
	for (size_t at = 0; at < run->length;)
		add_utf8(&str, character_at(run, &at, source->unit));
	ret_text->length = str.length;
	ret_text->bytes = arena_copy(source->at.capture->arena, str_text(&str),
				     str.length);
	return 0;
}

/* Removes an incomplete character at the end, which a cut may leave. */
static size_t
without_torn_character(const unsigned char *bytes, size_t length)
{
	size_t start = length;

	while (start > 0 && length - start < 3 && bytes[start - 1] >> 6 == 2)
		start--;
	if (start == 0 || bytes[start - 1] < 0xc2 || bytes[start - 1] > 0xf4)
		return length;
	start--;
	if (length - start <
	    2u + (bytes[start] >= 0xe0) + (bytes[start] >= 0xf0))
		return start;
	return length;
}

int
value_text(const struct value *value, size_t most, struct value_chars *ret_text)
{
	struct text_source source;
	struct text_run run;
	size_t want;
	bool more;
	int r = find_source(value, &source);

	if (r < 0)
		return r;
	if (most > CHARACTERS_MOST)
		most = CHARACTERS_MOST;
	want = source.length > most ? most + 1 : (size_t)source.length;
	r = gather(&source, want * source.unit, &run);
	if (r < 0)
		return r;
	more = run.length / source.unit > most;
	if (more)
		run.length = most * source.unit;
	ret_text->cut = more || run.torn;
	if (source.unit > 1)
		return narrow(&source, &run, ret_text);
	ret_text->bytes = (const char *)run.bytes;
	ret_text->length = run.length;
	if (ret_text->cut)
		ret_text->length =
			without_torn_character(run.bytes, run.length);
	return 0;
}
