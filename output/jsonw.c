/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why not a library? Libraries build a tree and print it, but a trace is
 * written once from left to right, in a million lines. They round integers
 * above 2^53 or treat them as a special case. And none of them accepts a string
 * that is not UTF-8, which the arguments of a C function often are.
 *
 * Such a string must lose nothing. Half a surrogate pair for each byte (like
 * Python's surrogateescape) is valid in RFC 8259's grammar, but most readers
 * reject or replace it. Therefore the value is an object instead,
 *
 *	{"$bytes": "SELECT 'caf\u00e9'"}
 *
 * whose string contains one character, U+0000 to U+00FF, for each byte. It is
 * still readable, grep finds it, and encode("latin-1") restores the bytes. The
 * whole string is written this way, including the valid parts. A string that is
 * UTF-8 is never written this way.
 *
 * RFC 8259 requires an escape only for control characters below U+0020. We also
 * escape characters that a terminal would obey, and characters that change the
 * direction of text, because people view these files in a terminal.
 */
#include "output/jsonw.h"

#include "base/clock.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
jsonw_init(struct jsonw *json, struct str *to)
{
	json->to = to;
	json->comma = false;
}

static void
begin_value(struct jsonw *json)
{
	if (json->comma)
		str_add_char(json->to, ',');
	json->comma = true;
}

void
jsonw_open(struct jsonw *json, char bracket)
{
	begin_value(json);
	str_add_char(json->to, bracket);
	json->comma = false;
}

void
jsonw_close(struct jsonw *json, char bracket)
{
	str_add_char(json->to, bracket);
	json->comma = true;
}

/* The length of the character at bytes, or 0 if the bytes are no character. */
static size_t
character(const char *bytes, size_t length, uint32_t *ret_character)
{
	unsigned char first = (unsigned char)bytes[0];

	if (first >= 0x80)
		return utf8_decode(bytes, length, ret_character);
	*ret_character = first;
	return 1;
}

/* How many bytes need no escape. Usually these are all bytes. */
static size_t
plain_length(const char *bytes, size_t length)
{
	static const unsigned char special[256] = {
		[0 ... 0x1f] = 1,
		['"'] = 1,
		['\\'] = 1,
		[0x7f ... 0xff] = 1,
	};
	size_t at = 0;

	while (at < length && !special[(unsigned char)bytes[at]])
		at++;
	return at;
}

static bool
is_utf8(const char *bytes, size_t length)
{
	size_t at = plain_length(bytes, length);

	while (at < length) {
		uint32_t ignored;
		size_t size = character(bytes + at, length - at, &ignored);

		if (size == 0)
			return false;
		at += size;
	}
	return true;
}

static void
add_escape(struct str *to, uint32_t c)
{
	static const char shorts[] = "b\bf\fn\nr\rt\t\"\"\\\\";
	char escape[7];

	for (const char *at = shorts; *at; at += 2) {
		if ((unsigned char)at[1] == c) {
			str_add_char(to, '\\');
			str_add_char(to, at[0]);
			return;
		}
	}
	snprintf(escape, sizeof(escape), "\\u%04x", c);
	str_add_bytes(to, escape, 6);
}

static bool
must_escape(uint32_t c)
{
	if (c >= 0x80)
		return !utf8_harmless(c);
	return c < 0x20 || c == '"' || c == '\\' || c == 0x7f;
}

/* bytes are UTF-8. Bytes that need no escape are copied together. */
static void
add_string(struct str *to, const char *bytes, size_t length)
{
	size_t from = 0, at = plain_length(bytes, length);

	str_add_char(to, '"');
	while (at < length) {
		uint32_t c = 0;
		size_t size = character(bytes + at, length - at, &c);

		if (must_escape(c)) {
			str_add_bytes(to, bytes + from, at - from);
			add_escape(to, c);
			from = at + size;
		}
		at += size;
	}
	str_add_bytes(to, bytes + from, length - from);
	str_add_char(to, '"');
}

static void
add_latin1(struct str *to, const char *bytes, size_t length)
{
	str_add_char(to, '"');
	for (size_t i = 0; i < length; i++) {
		unsigned char c = (unsigned char)bytes[i];

		if (c >= 0x80 || must_escape(c))
			add_escape(to, c);
		else
			str_add_char(to, (char)c);
	}
	str_add_char(to, '"');
}

static void
add_replacing(struct str *to, const char *bytes, size_t length)
{
	struct str clean = { 0 };
	size_t at = 0;

	while (at < length) {
		uint32_t ignored;
		size_t size = character(bytes + at, length - at, &ignored);

		if (size == 0)
			str_add(&clean, "\xef\xbf\xbd");
		else
			str_add_bytes(&clean, bytes + at, size);
		at += size ? size : 1;
	}
	add_string(to, str_text(&clean), clean.length);
	str_release(&clean);
}

void
jsonw_key(struct jsonw *json, const char *key)
{
	size_t length = strlen(key);

	begin_value(json);
	if (is_utf8(key, length))
		add_string(json->to, key, length);
	else
		add_replacing(json->to, key, length);
	str_add_char(json->to, ':');
	json->comma = false;
}

void
jsonw_text(struct jsonw *json, const char *bytes, size_t length)
{
	if (!is_utf8(bytes, length)) {
		jsonw_bytes(json, bytes, length);
		return;
	}
	begin_value(json);
	add_string(json->to, bytes, length);
}

void
jsonw_bytes(struct jsonw *json, const char *bytes, size_t length)
{
	begin_value(json);
	str_add(json->to, "{\"$bytes\":");
	add_latin1(json->to, bytes, length);
	str_add_char(json->to, '}');
}

void
jsonw_unsigned(struct jsonw *json, uint64_t value)
{
	begin_value(json);
	str_add_unsigned(json->to, value);
}

void
jsonw_signed(struct jsonw *json, int64_t value)
{
	begin_value(json);
	str_add_signed(json->to, value);
}

void
jsonw_double(struct jsonw *json, double value)
{
	char text[32];

	if (isnan(value)) {
		jsonw_ascii(json, "NaN");
		return;
	}
	if (isinf(value)) {
		jsonw_ascii(json, value < 0 ? "-Infinity" : "Infinity");
		return;
	}
	/* 17 digits are always enough (IEEE 754-2019, 5.12.2). */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	jsonw_number(json, text);
}

void
jsonw_number(struct jsonw *json, const char *digits)
{
	begin_value(json);
	str_add(json->to, digits);
}

void
jsonw_bool(struct jsonw *json, bool value)
{
	jsonw_number(json, value ? "true" : "false");
}

void
jsonw_null(struct jsonw *json)
{
	jsonw_number(json, "null");
}

void
jsonw_seconds(struct jsonw *json, uint64_t ns)
{
	char fraction[] = ".nnnnnnnnn";
	uint64_t rest = ns % CLOCK_SECOND;

	for (unsigned i = 9; i > 0; i--, rest /= 10)
		fraction[i] = (char)('0' + rest % 10);
	begin_value(json);
	str_add_unsigned(json->to, ns / CLOCK_SECOND);
	str_add_bytes(json->to, fraction, sizeof(fraction) - 1);
}

void
jsonw_ascii(struct jsonw *json, const char *text)
{
	begin_value(json);
	str_add_char(json->to, '"');
	str_add(json->to, text);
	str_add_char(json->to, '"');
}

void
jsonw_address(struct jsonw *json, uint64_t address)
{
	begin_value(json);
	str_add_char(json->to, '"');
	str_add_hex(json->to, address);
	str_add_char(json->to, '"');
}

/* The length of a character of UTF-8 according to its first byte. */
static size_t
announced(unsigned char c)
{
	if (c >= 0xf0)
		return 4;
	return c >= 0xe0 ? 3 : 2;
}

size_t
jsonw_whole_characters(const char *bytes, size_t length)
{
	for (size_t back = 1; back <= 3 && back <= length; back++) {
		unsigned char c = (unsigned char)bytes[length - back];

		if (c < 0x80)
			return length;
		if (c >= 0xc0)
			return announced(c) > back ? length - back : length;
	}
	return length;
}
