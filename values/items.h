/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items are values of several types in one list, as a client binds them to the
 * parameters of a statement. A value of items is shown like an array.
 */
#ifndef VALUES_ITEMS_H
#define VALUES_ITEMS_H

#include "conf/model/lens.h"
#include "values/value.h"

struct arena;

struct value_item {
	/* True: shown without quotes, as a number or NULL. False: a text in
	 * quotes. */
	bool plain;
	const char *bytes; /* not terminated */
	size_t length;
	size_t whole; /* the length of the text whose beginning is bytes */
};

struct value_items {
	const struct value *at;
	size_t count;
	bool cut; /* the list has more items */
};

/* A value that is shown as the item; copied into the arena. */
void item_value(struct value *value, struct arena *arena,
		const struct value_item *item);
/* Copies the items into the arena. */
void items_value(struct value *value, struct arena *arena,
		 const struct value_item *items, size_t count, bool cut);

/* The text of a value that is shown as one text, at most `most` characters;
 * also of a struct of which only one field is shown. */
must_check bool item_text(const struct value *value, size_t most,
			  struct value_chars *ret_text);

/* True if the value is a plain item: its text is neither quoted nor cut. */
static inline bool
item_is_plain(const struct value *value)
{
	return value->lens == &lens_shown;
}

#endif
