/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --help: the rows by group, with their sentences in a column. */
#include "tracer/options/option_table.h"

#include "base/str.h"

#include <string.h>

#define COLUMN 30 /* the column in which the sentences begin */
#define WIDTH 80

static const char *const titles[OPTION_GROUPS] = {
	[OPTION_GROUP_WHAT] = "What to trace:",
	[OPTION_GROUP_WHEN] = "When:",
	[OPTION_GROUP_LINE] = "The line:",
	[OPTION_GROUP_WHERE] = "Where it goes:",
	[OPTION_GROUP_ABOUT] = "About:",
};

/* Adds the words, broken into lines that begin at COLUMN. `at` is the position
 * in the current line. */
static void
add_sentence(struct str *text, const char *words, size_t at)
{
	while (*words) {
		size_t length = strcspn(words, " ");

		if (at > COLUMN && at + 1 + length >= WIDTH) {
			str_addf(text, "\n%*s", COLUMN, "");
			at = COLUMN;
		} else if (at > COLUMN) {
			str_add_char(text, ' ');
			at++;
		}
		str_add_bytes(text, words, length);
		at += length;
		words += length;
		words += strspn(words, " ");
	}
	str_add_char(text, '\n');
}

static void
describe(struct str *text, const struct option_row *row)
{
	size_t start = text->length, length;

	if (row->letter)
		str_addf(text, "  -%c, ", row->letter);
	else
		str_add(text, "      ");
	str_addf(text, "--%s", row->word);
	if (row->argument == OPTION_ARGUMENT_NEEDED)
		str_addf(text, " %s", row->arg);
	if (row->argument == OPTION_ARGUMENT_MAYBE)
		str_addf(text, "[=%s]", row->arg);
	length = text->length - start;
	if (length < COLUMN - 1)
		str_add_repeated(text, ' ', COLUMN - length);
	else
		str_addf(text, "\n%*s", COLUMN, "");
	add_sentence(text, row->help, COLUMN);
}

char *
option_help(void)
{
	struct str text;

	str_init(&text);
	str_add(&text,
		"Usage: xtrace [OPTION...] COMMAND [ARGUMENT...]\n"
		"       xtrace [OPTION...] -p PID...\n"
		"Trace the library calls of a program, started or running.\n");
	for (int group = 0; group < OPTION_GROUPS; group++) {
		str_addf(&text, "\n%s\n", titles[group]);
		for (int i = 0; i < OPTIONS; i++) {
			if ((int)option_rows[i].group == group)
				describe(&text, &option_rows[i]);
		}
	}
	str_add(&text, "\nExamples:\n"
		       "  xtrace -T -e malloc+free ls /usr\n"
		       "  xtrace -ttT -x mysql_real_query -p 1234\n"
		       "\nxtrace(1) has the rest; --version, the version.\n");
	return str_take(&text);
}
