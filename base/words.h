/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Splits a line into words at blanks, as a shell does, but nothing is expanded:
 *
 *	-x 'a b'	"a\"b"	a\ b	# the rest is a comment
 */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include "base/err.h"
#include "base/vec.h"

#include <stddef.h>

struct line_word {
	char *text;    /* without quotes */
	size_t column; /* where the word begins in its line, from 0 */
};

struct words {
	vec_of(struct line_word) list;
};

/*
 * Adds the words of the line. Returns -EINVAL with a sentence, and in
 * ret_column where the mistake is, if a quote is not closed or nothing follows
 * a backslash; words that come before it may have been added.
 */
must_check int words_split(const char *line, struct words *words,
			   size_t *ret_column, struct err *err);
void words_release(struct words *words);

#endif
