/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of probes are C identifiers, so no character of them has to be quoted.
 * In a glob, + and - can only be within brackets. A blank is an error, because
 * no probe would match it.
 */
#include "conf/filter/sdt_filter.h"

#include "base/pattern.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "conf/filter/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sdt_rule {
	bool subtract;
	struct pattern *provider;
	struct pattern *name;
	struct pattern *library; /* NULL: any */
	bool main;		 /* true: only probes of the program itself */
	char *text;
	bool provider_seen, matched;
};

/* The characters that end the name of a provider or a probe. */
#define NAME_ENDS ":+-!,@%"

struct sdt_filter {
	vec_of(struct sdt_rule) rules;
};

/* "!" is the old form of "-" in ltrace. */
static bool
is_sign(char c)
{
	return c == '+' || c == '-' || c == '!';
}

struct sdt_reading {
	const char *text;
	size_t at;
	struct sdt_filter *filter;
	struct err *err;
};

bool
sdt_filter_meant(const char *text)
{
	return text[0] == '%' || (is_sign(text[0]) && text[1] == '%');
}

static int
wrong(struct sdt_reading *reading, const char *why)
{
	return err_set(reading->err, -EINVAL, "%s", why);
}

/* The position behind the glob's set [...] that begins at `at`, or 0 if the set
 * has no end. A ] that comes first belongs to the set. */
static size_t
behind_set(const char *text, size_t at)
{
	at++;
	at += text[at] == '!' || text[at] == '^';
	at += text[at] == ']';
	at += strcspn(text + at, "]");
	return text[at] ? at + 1 : 0;
}

/* Takes the characters up to one of stops. A stop within brackets does not
 * count. */
static int
take_glob(struct sdt_reading *reading, const char *stops, const char *what,
	  struct pattern **ret_pattern)
{
	const char *text = reading->text;
	size_t start = reading->at, at = start;
	cleanup(freep) char *glob = NULL;
	int r;

	while (text[at] && !strchr(stops, text[at])) {
		at = text[at] == '[' ? behind_set(text, at) : at + 1;
		if (!at)
			return wrong(reading, "expected a ] behind this [");
	}
	while (reading->at < at && !isspace((unsigned char)text[reading->at]))
		reading->at++;
	if (reading->at < at)
		return wrong(reading, "names of probes have no blanks");
	if (at == start)
		return err_set(reading->err, -EINVAL, "expected %s", what);
	glob = xstrndup(text + start, at - start);
	r = pattern_glob(glob, ret_pattern, reading->err);
	if (r < 0)
		reading->at = start;
	return r;
}

/* Names of libraries have + and -, so "@libx" ends at a sign before a %. */
static int
take_library(struct sdt_reading *reading, struct sdt_rule *rule)
{
	const char *from = reading->text + reading->at + 1, *end = from;
	cleanup(freep) char *glob = NULL;
	int r;

	if (reading->text[reading->at] != '@')
		return 0;
	while (*end && !(is_sign(end[0]) && end[1] == '%'))
		end++;
	reading->at++;
	if (end == from)
		return wrong(reading, "expected a library");
	glob = xstrndup(from, (size_t)(end - from));
	r = pattern_glob(glob, &rule->library, reading->err);
	if (r < 0)
		return r;
	rule->main = !strcmp(glob, "MAIN");
	reading->at += (size_t)(end - from);
	return 0;
}

static struct pattern *
copy_of(const struct pattern *pattern)
{
	struct pattern *copy = NULL;
	struct err ignored;

	if (pattern && pattern_glob(pattern_text(pattern), &copy, &ignored) < 0)
		copy = NULL;
	return copy;
}

/* The rules from `first` on get the library of the last rule. */
static void
complete_rules(struct sdt_filter *filter, size_t first)
{
	const struct sdt_rule *last =
		&filter->rules.at[filter->rules.count - 1];

	for (size_t i = first; i < filter->rules.count; i++) {
		struct sdt_rule *rule = &filter->rules.at[i];

		rule->main = last->main;
		if (rule != last)
			rule->library = copy_of(last->library);
		rule->text =
			xasprintf("%%%s:%s%s%s", pattern_text(rule->provider),
				  pattern_text(rule->name),
				  rule->library ? "@" : "",
				  rule->library ? pattern_text(rule->library)
						: "");
	}
}

/* Parses "provider:probe,probe", behind the percent sign. */
static int
take_names(struct sdt_reading *reading, bool subtract)
{
	struct sdt_filter *filter = reading->filter;
	struct sdt_rule rule = { .subtract = subtract };
	int r = take_glob(reading, NAME_ENDS, "a provider behind %",
			  &rule.provider);

	if (r == 0 && reading->text[reading->at] != ':') {
		pattern_free(rule.provider);
		return wrong(reading, "expected : and the name of a probe");
	}
	while (r == 0) {
		reading->at++;
		if (!rule.provider)
			rule.provider = copy_of(
				filter->rules.at[filter->rules.count - 1]
					.provider);
		r = take_glob(reading, NAME_ENDS, "the name of a probe",
			      &rule.name);
		vec_push(&filter->rules, rule);
		rule = (struct sdt_rule){ .subtract = subtract };
		if (reading->text[reading->at] != ',')
			break;
	}
	return r;
}

static int
take_rule(struct sdt_reading *reading)
{
	struct sdt_filter *filter = reading->filter;
	size_t first = filter->rules.count;
	bool subtract = false;
	int r;

	if (is_sign(reading->text[reading->at]))
		subtract = reading->text[reading->at++] != '+';
	else if (first > 0)
		return wrong(reading, "expected + or - before the next probe");
	if (reading->text[reading->at] != '%')
		return wrong(reading, "expected % and the probe's provider");
	if (subtract && first == 0) {
		reading->at--;
		return wrong(reading, "there is nothing to leave this out of");
	}
	reading->at++;
	r = take_names(reading, subtract);
	if (r == 0)
		r = take_library(reading,
				 &filter->rules.at[filter->rules.count - 1]);
	if (r == 0)
		complete_rules(filter, first);
	return r;
}

int
sdt_filter_parse(const char *text, struct sdt_filter **ret_filter,
		 size_t *ret_column, struct err *err)
{
	struct sdt_reading reading = { text, 0, NULL, err };
	int r;

	reading.filter = xcalloc(1, sizeof(*reading.filter));
	do
		r = take_rule(&reading);
	while (r == 0 && text[reading.at]);
	if (r < 0) {
		*ret_column = reading.at;
		sdt_filter_free(reading.filter);
		return r;
	}
	*ret_filter = reading.filter;
	return 0;
}

void
sdt_filter_free(struct sdt_filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->rules.count; i++) {
		pattern_free(filter->rules.at[i].provider);
		pattern_free(filter->rules.at[i].name);
		pattern_free(filter->rules.at[i].library);
		free(filter->rules.at[i].text);
	}
	vec_release(&filter->rules);
	free(filter);
}

static bool
library_matches(const struct sdt_rule *rule, const struct filter_module *module)
{
	if (!rule->library)
		return true;
	return rule->main ? module->main
			  : pattern_matches(rule->library, module->label);
}

bool
sdt_filter_chooses(struct sdt_filter *filter,
		   const struct filter_module *module, const char *provider,
		   const char *name)
{
	bool chosen = false;

	for (size_t i = 0; i < filter->rules.count; i++) {
		struct sdt_rule *rule = &filter->rules.at[i];

		if (!library_matches(rule, module) ||
		    !pattern_matches(rule->provider, provider))
			continue;
		rule->provider_seen = true;
		if (!pattern_matches(rule->name, name))
			continue;
		rule->matched = true;
		chosen = !rule->subtract;
	}
	return chosen;
}

bool
sdt_filter_rule(const struct sdt_filter *filter, size_t number,
		struct sdt_rule_seen *ret_rule)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct sdt_rule *rule = &filter->rules.at[i];

		if (rule->subtract || number-- > 0)
			continue;
		*ret_rule = (struct sdt_rule_seen){
			.text = rule->text,
			.provider = pattern_exact(rule->provider),
			.provider_seen = rule->provider_seen,
			.matched = rule->matched,
		};
		return true;
	}
	return false;
}
