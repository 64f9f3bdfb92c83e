/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * XML 1.0, 2.2 "Characters" and 2.4 "Character Data and Markup". A backslash
 * stays a backslash, because many names contain one. The escapes are therefore
 * for people and not for programs.
 */
#include "output/stacks/xml.h"

#include "base/escape.h"

#include <string.h>

static const char *
entity(char c)
{
	switch (c) {
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '&':
		return "&amp;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return "\\";
	}
}

/* U+FFFE and U+FFFF are not allowed in XML. */
static void
replace_noncharacters(char *text)
{
	for (char *at = strstr(text, "\xef\xbf"); at;
	     at = strstr(at + 3, "\xef\xbf")) {
		if (at[2] == '\xbe' || at[2] == '\xbf')
			at[2] = '\xbd';
	}
}

void
xml_add(struct str *to, const char *text)
{
	size_t before = to->length;

	for (;;) {
		size_t plain = strcspn(text, "<>&\"'\\");

		escape_text(to, text, plain, '\0', false);
		if (!text[plain])
			break;
		str_add(to, entity(text[plain]));
		text += plain + 1;
	}
	if (to->length > before)
		replace_noncharacters(to->text + before);
}
