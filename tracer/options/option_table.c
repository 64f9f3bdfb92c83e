/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * options.def is read here twice: as rows, and (in the header) as their names.
 * The words of --format come from the table of formats. getopt_long() handles
 * abbreviations and clusters. An option that getopt_long() does not know comes
 * back as '?' or ':', and the message is made here.
 */
#include "tracer/options/option_table.h"

#include "base/spelling.h"
#include "base/str.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* "|callgrind|speedscope": words with which the argument of --format may
 * begin. */
static const char format_words[] =
#define FORMAT(name, option, word, extension, stacks, constructor, help)
#define EXPORT(name, word, stacks, constructor, help) "|" word
#include "output/formats.def"
	;
#define FORMAT_WORDS (format_words + 1)

const struct option_row option_rows[OPTIONS] = {
#define OPTION(name, letter, word, argument, arg, group, help)                 \
	{ letter, word, OPTION_ARGUMENT_##argument, arg, OPTION_GROUP_##group, \
	  help },
#include "tracer/options/options.def"
#undef OPTION
};

/* getopt_long() returns the row's number plus this, which is above any
 * letter */
#define LONG_BASE 256

void
option_getopt_tables(struct option *longs, char *shorts)
{
	static const int has_arg[] = {
		[OPTION_ARGUMENT_NONE] = no_argument,
		[OPTION_ARGUMENT_NEEDED] = required_argument,
		[OPTION_ARGUMENT_MAYBE] = optional_argument,
	};

	/* getopt_long() stops at the first word that is no option: the options
	 * of the command are not for xtrace */
	*shorts++ = '+';
	*shorts++ = ':';
	for (int i = 0; i < OPTIONS; i++) {
		const struct option_row *row = &option_rows[i];

		longs[i] = (struct option){ row->word, has_arg[row->argument],
					    NULL, LONG_BASE + i };
		if (!row->letter)
			continue;
		*shorts++ = row->letter;
		if (row->argument != OPTION_ARGUMENT_NONE)
			*shorts++ = ':';
		if (row->argument == OPTION_ARGUMENT_MAYBE)
			*shorts++ = ':';
	}
	longs[OPTIONS] = (struct option){ 0 };
	*shorts = '\0';
}

int
option_code_is_long(int code)
{
	return code >= LONG_BASE;
}

enum option_name
option_of_code(int code)
{
	if (option_code_is_long(code))
		return (enum option_name)(code - LONG_BASE);
	for (int i = 0; i < OPTIONS; i++) {
		if (option_rows[i].letter == code)
			return (enum option_name)i;
	}
	return OPTIONS;
}

int
option_code_of_old(const char *word)
{
	return strcmp(word, "--durations") ? '?'
					   : LONG_BASE + OPTION_CALL_TIMES;
}

static const char *
nearest(const char *name)
{
	size_t best = SIZE_MAX;
	const char *word = NULL;

	for (int i = 0; i < OPTIONS; i++) {
		size_t d = spelling_distance(name, option_rows[i].word);

		if (d < best) {
			best = d;
			word = option_rows[i].word;
		}
	}
	return best <= (strlen(name) + 2) / 3 ? word : NULL;
}

/* "--sort, --summary": the options that the word may abbreviate. */
static size_t
add_longer(struct str *to, const char *name)
{
	size_t count = 0;

	for (int i = 0; i < OPTIONS; i++) {
		if (strncmp(option_rows[i].word, name, strlen(name)) != 0)
			continue;
		str_addf(to, "%s--%s", count++ ? ", " : "",
			 option_rows[i].word);
	}
	return count;
}

static int
unknown_word(const char *given, struct err *err)
{
	char name[64];
	const char *near;
	struct str longer;
	int r;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(given, "="), given);
	str_init(&longer);
	near = nearest(name);
	if (*name && add_longer(&longer, name) > 1)
		r = err_set(err, -EINVAL, "option '--%s' could be any of %s",
			    name, str_text(&longer));
	else if (near)
		r = err_set(err, -EINVAL,
			    "unknown option '--%s'; did you mean '--%s'?", name,
			    near);
	else
		r = err_set(err, -EINVAL,
			    "unknown option '--%s'; --help lists them", name);
	str_release(&longer);
	return r;
}

int
option_bad(int code, int given, const char *word, struct err *err)
{
	const struct option_row *row;
	char letter[] = { (char)given, '\0' };

	if (!given)
		return unknown_word(word + 2, err);
	if (option_of_code(given) == OPTIONS)
		return err_set(err, -EINVAL,
			       "unknown option '-%s'; --help lists them",
			       letter);
	row = &option_rows[option_of_code(given)];
	if (code == ':')
		return err_set(err, -EINVAL, "option '%s%s' needs %s: %s",
			       option_code_is_long(given) ? "--" : "-",
			       option_code_is_long(given) ? row->word : letter,
			       row->arg, row->help);
	return err_set(err, -EINVAL, "option '--%s' takes no argument",
		       row->word);
}
