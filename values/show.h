/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text, in the form that ltrace made known:
 *
 *	f("a \"b\"", 12, {1, nil}, [1, 2, 3, 4...], O_RDWR|O_CREAT, <0,2>)
 */
#ifndef VALUES_SHOW_H
#define VALUES_SHOW_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct arguments;
struct text;
struct value;

struct show_look {
	size_t string_length; /* -s */
	size_t array_length;  /* -A */
	bool names;	      /* --names: q="SELECT" */
	bool ascii;	      /* bytes of UTF-8 as \303\244, too */
	bool bare;	      /* blanks between the arguments, no commas */
};

enum show_phase {
	SHOW_ALL,
	/* Those before the first that is looked at at the return, and the
	 * comma if more will follow. */
	SHOW_ENTRY,
	/* That one and those behind it: ENTRY and RETURN together are ALL. */
	SHOW_RETURN,
};

/* What is between the parentheses. */
void show_arguments(struct str *to, const struct arguments *arguments,
		    const struct show_look *look, enum show_phase phase);
/* True where SHOW_RETURN has something to show. */
bool show_arguments_late(const struct arguments *arguments);

/* value may be NULL: "<void>". */
void show_value(struct str *to, const struct value *value,
		const struct show_look *look);
/* As show_value(), behind "= ": an errno lens says what error_number is. */
void show_result(struct str *to, const struct value *result, int error_number,
		 const struct show_look *look);

/*
 * A value that visitor_ops.scalar was called with, by itself: a number, a
 * name, flags. As ltrace shows it.
 */
void show_scalar(struct str *to, const struct value *value);
/* Quoted and escaped, "..." behind where it is cut. */
void show_text(struct str *to, const struct text *text, bool ascii);

#endif
