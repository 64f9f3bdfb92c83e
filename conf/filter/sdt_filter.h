/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter of -x that begins with % says which SDT probes to trace:
 *
 *	filter := rule+		rule := [+-] %provider:probe{,probe} [@library]
 *
 * where all names are globs, MAIN is the program, and `-` leaves out what a
 * rule before it has chosen. The last rule that matches a probe counts.
 */
#ifndef CONF_FILTER_SDT_FILTER_H
#define CONF_FILTER_SDT_FILTER_H

#include "base/attr.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct filter_module;
struct sdt_filter;

/* True if the argument of -x begins with %, or with a sign and %. */
bool sdt_filter_meant(const char *text);

/* Parses text. On error, returns -EINVAL with one sentence in err, and the
 * place in text in *ret_column (from 0). */
must_check int sdt_filter_parse(const char *text,
				struct sdt_filter **ret_filter,
				size_t *ret_column, struct err *err);
void sdt_filter_free(struct sdt_filter *filter);

/* True if the filter selects the probe of the module. Notes for
 * sdt_filter_rule() which rules have matched. */
bool sdt_filter_chooses(struct sdt_filter *filter,
			const struct filter_module *module,
			const char *provider, const char *name);

/* A rule that adds probes. The filter owns the texts. */
struct sdt_rule_seen {
	const char *text;     /* "%ruby:line" */
	const char *provider; /* the only provider that the rule can choose, or
			       * NULL */
	bool provider_seen;   /* a probe was seen whose provider the rule
			       * matches */
	bool matched;
};

/* Finds the rule with that number (from 0; rules that remove are not counted).
 * False if there is none. */
bool sdt_filter_rule(const struct sdt_filter *filter, size_t number,
		     struct sdt_rule_seen *ret_rule);

#endif
