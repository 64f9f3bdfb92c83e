/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A skim is a quick look at an item of a prototype file: where it ends, and
 * which names it may define. It knows no types, so it finds names that the item
 * only uses, too. But it misses no name that the item defines.
 */
#ifndef CONF_PARSE_SKIM_H
#define CONF_PARSE_SKIM_H

#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>

struct skim_name {
	const char *start; /* the name's place in the text */
	size_t length;
	bool is_function;
};

struct skim {
	const char *end;	/* directly behind the item's ';' */
	unsigned lines;		/* how many newlines are in the item */
	const char *line_start; /* the line with the ';' */
	vec_of(struct skim_name) names;
	bool is_import;
};

/* The longest name; an item with a longer one is not skimmed. */
#define SKIM_NAME_MOST 100

/*
 * Skims the item that begins a line at text. False if it must be parsed at
 * once: a probe, a function with a body, an item without a ';', ...
 * The skim is empty, or one of another item, whose room is used again.
 */
bool skim_item(struct skim *skim, const char *text, const char *end);
void skim_release(struct skim *skim);

#endif
