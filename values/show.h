/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text, in ltrace's form:
 *
 *	f("a \"b\"", 12, {1, nil}, [1, 2, 3, 4...], O_RDWR|O_CREAT, <0,2>)
 */
#ifndef VALUES_SHOW_H
#define VALUES_SHOW_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct arguments;
struct value_chars;
struct value;

struct show_look {
	size_t string_length; /* -s: how many characters are shown */
	size_t array_length;  /* -A: how many elements are shown */
	bool names;	      /* --names: q="SELECT" */
	/* The forms that scripts for ltrace read: { 1, 2 }, [ 1, 2... ], reals
	 * as %f, bytes of UTF-8 as \303\244 (but not in wide texts), no words
	 * for an error, and one value of an argument that is changed. */
	bool as_ltrace;
	bool bare; /* blanks between the arguments, no commas */
};

enum show_phase {
	SHOW_ALL,
	/* Arguments before the first one that is read at the return, and a
	 * comma if more follow. */
	SHOW_ENTRY,
	/* The first argument that is read at the return, and all arguments
	 * after it. ENTRY and RETURN together show the text of ALL. */
	SHOW_RETURN,
};

/* Writes what is between the parentheses of a call. */
void show_arguments(struct str *to, const struct arguments *arguments,
		    const struct show_look *look, enum show_phase phase);
/* True if SHOW_RETURN would show something. */
bool show_arguments_late(const struct arguments *arguments);

/* Writes what a descriptor is open for, in angles; nothing for NULL. */
void show_file(struct str *to, const char *file);
/* Writes a value; "<void>" if value is NULL. */
void show_value(struct str *to, const struct value *value,
		const struct show_look *look);
/* Like show_value(), after "= ". An errno lens also shows error_number. */
void show_result(struct str *to, const struct value *result, int error_number,
		 const struct show_look *look);

/*
 * Shows the argument of visitor_ops.scalar alone, like ltrace: a number, a
 * name, flags.
 */
void show_scalar(struct str *to, const struct value *value);

/* Is the value shown as a small signed number whatever its type is, because its
 * lens is guess? */
bool show_guessed(const struct value *value);
/* Writes a text with quotes and escapes, and adds "..." if it is cut. */
void show_text(struct str *to, const struct value_chars *text, bool ascii);

#endif
