/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of a filter as text: split and unquoted, not compiled. filter.c
 * makes patterns of them.
 */
#ifndef CONF_FILTER_FILTER_RULES_H
#define CONF_FILTER_FILTER_RULES_H

#include "conf/filter/filter.h"

#include "base/vec.h"

/* The text of a pattern; text is NULL if everything matches. */
struct filter_word {
	char *text;
	bool regex;
	size_t column; /* the column of the text in the filter */
};

struct filter_rule {
	bool subtract;
	struct filter_word symbol;
	struct filter_word version;
	struct filter_word library;
};

struct filter_rules {
	vec_of(struct filter_rule) all;
};

/* Parses text to rules; the results are those of filter_parse(). */
must_check int filter_rules_parse(const char *text,
				  const struct filter_sonames *sonames,
				  struct filter_rules *ret_rules,
				  size_t *ret_column, struct err *err);
void filter_rules_release(struct filter_rules *rules);

#endif
