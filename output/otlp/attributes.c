/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A string of protobuf is UTF-8, so bytes that are none are shown with escapes.
 * A text may be cut in the middle of a character; the rest of the character is
 * then escaped, too.
 */
#include "output/otlp/attributes.h"

#include "base/escape.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
open_value(struct jsonw *json, const char *name, const char *kind)
{
	jsonw_open(json, '{');
	jsonw_key(json, "key");
	jsonw_ascii(json, name);
	jsonw_key(json, "value");
	jsonw_open(json, '{');
	jsonw_key(json, kind);
}

static void
close_value(struct jsonw *json)
{
	jsonw_close(json, '}');
	jsonw_close(json, '}');
}

void
attribute_string(struct jsonw *json, const char *bytes, size_t length)
{
	struct str shown = { 0 };

	if (utf8_is_text(bytes, length, false)) {
		jsonw_text(json, bytes, length);
	} else {
		escape_name_bytes(&shown, bytes, length);
		jsonw_text(json, str_text(&shown), shown.length);
	}
	str_release(&shown);
}

void
attribute_bytes(struct jsonw *json, const char *name, const char *bytes,
		size_t length)
{
	open_value(json, name, "stringValue");
	attribute_string(json, bytes, length);
	close_value(json);
}

void
attribute_text(struct jsonw *json, const char *name, const char *text)
{
	if (text)
		attribute_bytes(json, name, text, strlen(text));
}

void
attribute_number(struct jsonw *json, const char *name, int64_t value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	open_value(json, name, "intValue");
	jsonw_ascii(json, digits);
	close_value(json);
}

void
attribute_bool(struct jsonw *json, const char *name, bool value)
{
	open_value(json, name, "boolValue");
	jsonw_bool(json, value);
	close_value(json);
}

void
attribute_member(struct jsonw *json, const char *name, uint64_t value)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	jsonw_key(json, name);
	jsonw_ascii(json, digits);
}

void
attribute_word(struct jsonw *json, const char *name, const char *text)
{
	jsonw_key(json, name);
	jsonw_ascii(json, text);
}
