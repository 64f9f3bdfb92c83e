/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Words, as a shell reads them (POSIX.1-2017, Shell Command Language, 2.2
 * "Quoting"). Between single quotes no byte has a special meaning. Between
 * double quotes a backslash quotes only a double quote and a backslash. A word
 * may consist of several quoted parts. A # begins a comment only where a word
 * could begin.
 */
#include "base/words.h"

#include "base/str.h"

#include <errno.h>

#define BLANKS " \t\r\v\f"

/* Adds the text between quotes. at is the opening quote; returns the closing
 * one, or NULL if there is none. */
static const char *
add_quoted(struct str *to, const char *at)
{
	char quote = *at++;

	while (*at && *at != quote) {
		if (quote == '"' && *at == '\\' &&
		    (at[1] == '"' || at[1] == '\\'))
			at++;
		str_add_char(to, *at++);
	}
	return *at ? at : NULL;
}

/* Reads one word; returns its end, or NULL with a sentence, and in ret_mistake
 * where it is. */
static const char *
read_word(const char *at, struct str *to, const char **ret_mistake,
	  struct err *err)
{
	int r = 0;

	for (; *at && !strchr(BLANKS, *at); at++) {
		const char *begin = at;

		if (*at == '\'' || *at == '"') {
			at = add_quoted(to, at);
			if (!at)
				r = err_set(err, -EINVAL, "no closing %c",
					    *begin);
		} else if (*at == '\\' && !at[1]) {
			r = err_set(err, -EINVAL, "nothing follows \\");
		} else {
			at += *at == '\\';
			str_add_char(to, *at);
		}
		if (r < 0) {
			*ret_mistake = begin;
			return NULL;
		}
	}
	return at;
}

int
words_split(const char *line, struct words *words, size_t *ret_column,
	    struct err *err)
{
	const char *at = line + strspn(line, BLANKS);

	while (*at && *at != '#') {
		struct line_word word = { .column = (size_t)(at - line) };
		const char *mistake;
		struct str text;

		str_init(&text);
		at = read_word(at, &text, &mistake, err);
		if (!at) {
			str_release(&text);
			*ret_column = (size_t)(mistake - line);
			return -EINVAL;
		}
		str_add_bytes(&text, "", 0); /* makes '' a word, too */
		word.text = str_take(&text);
		vec_push(&words->list, word);
		at += strspn(at, BLANKS);
	}
	return 0;
}

void
words_release(struct words *words)
{
	for (size_t i = 0; i < words->list.count; i++)
		free(words->list.at[i].text);
	vec_release(&words->list);
}
