/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The syntax of filters.
 *
 *	filter	:= ['-' | '!'] rule { ('+' | '-' | ',') rule }
 *	rule	:= symbol [ '@' [library] ] | '@' [library]
 *	symbol	:= glob [ '@@' glob ] | '/' regex '/'
 *	library	:= glob | '/' regex '/' | path
 *
 * After a comma the sign before the list still applies: `-a,b` leaves out both.
 * `a,b@lib` is `a@lib+b@lib`, because users write names that share a library
 * this way.
 *
 * `libstdc++.so.6` and `ld-linux-x86-64.so.2` look like several rules. In a
 * library we try every sign as its end, the longest text first, and take the
 * first text that is a known soname. Before the program runs, no soname is
 * known. Then a sign belongs to the name if the first `.so` comes after it,
 * because no function's name has one. A sign in a path belongs to the path if a
 * slash comes after it.
 *
 * `/symbol@library/` is ltrace's way to write two expressions as one.
 */
#include "conf/filter/filter_rules.h"

#include "base/xmalloc.h"
#include "conf/filter/filter_scan.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIGNS "+-,"
#define SIGNS_AND_AT "+-,@"

struct filter_parser {
	const char *text;
	size_t at;
	const struct filter_sonames *sonames;
	struct filter_rules *rules;
	size_t listed; /* the first rule of the present comma list */
	bool subtract;
	size_t wrong; /* the column of the error */
	struct err *err;
};

static int
fail(struct filter_parser *parser, size_t column, const char *why)
{
	parser->wrong = column;
	return err_set(parser->err, -EINVAL, "%s", why);
}

static void
skip_blanks(struct filter_parser *parser)
{
	while (isspace((unsigned char)parser->text[parser->at]))
		parser->at++;
}

static int
scan(struct filter_parser *parser, size_t at, const char *stops,
     size_t *ret_end)
{
	size_t end;

	if (filter_scan_word(parser->text, at, stops, &end) < 0)
		return fail(parser, end,
			    parser->text[end] == '\\'
				    ? "nothing behind the backslash"
				    : "this quote is not closed");
	*ret_end = end;
	return 0;
}

static int
take_word(struct filter_parser *parser, size_t end, struct filter_word *word)
{
	word->column = parser->at;
	word->text = filter_unprotect(parser->text, parser->at, end);
	parser->at = end;
	if (!word->text[0])
		return fail(parser, word->column, "an empty name");
	return 0;
}

static void
take_regex(struct filter_parser *parser, size_t start, size_t end,
	   struct filter_word *word)
{
	word->column = start;
	word->regex = true;
	if (start < end)
		word->text = filter_unprotect_regex(parser->text, start, end);
}

/* The position of the @ in /symbol@library/, or end. */
static size_t
dividing_at(const char *text, size_t at, size_t end)
{
	bool in_class = false;

	for (; at < end; at++) {
		if (text[at] == '\\')
			at++;
		else if (text[at] == '@' && !in_class)
			return at;
		else if (text[at] == '[' || text[at] == ']')
			in_class = text[at] == '[';
	}
	return end;
}

static int
parse_symbol_regex(struct filter_parser *parser, struct filter_rule *rule)
{
	size_t start = parser->at + 1, division;
	size_t end = filter_scan_regex(parser->text, parser->at, SIGNS_AND_AT);

	if (end == 0)
		return fail(parser, parser->at,
			    "no '/' at the end of this expression");
	parser->at = end + 1;
	division = dividing_at(parser->text, start, end);
	if (division == end || parser->text[parser->at] == '@') {
		take_regex(parser, start, end, &rule->symbol);
		return 0;
	}
	take_regex(parser, start, division, &rule->symbol);
	take_regex(parser, division + 1, end, &rule->library);
	return 0;
}

static int
parse_version(struct filter_parser *parser, struct filter_rule *rule)
{
	size_t end;
	int r;

	if (strncmp(parser->text + parser->at, "@@", 2) != 0)
		return 0;
	parser->at += 2;
	r = scan(parser, parser->at, SIGNS_AND_AT, &end);
	if (r < 0)
		return r;
	if (end == parser->at)
		return fail(parser, end, "expected a version behind '@@'");
	return take_word(parser, end, &rule->version);
}

static int
parse_symbol(struct filter_parser *parser, struct filter_rule *rule)
{
	size_t end;
	int r;

	if (parser->text[parser->at] == '/')
		return parse_symbol_regex(parser, rule);
	r = scan(parser, parser->at, SIGNS_AND_AT, &end);
	if (r < 0)
		return r;
	if (end == parser->at && parser->text[end] != '@')
		return fail(parser, end, "expected a function or a library");
	if (end > parser->at) {
		r = take_word(parser, end, &rule->symbol);
		if (r < 0)
			return r;
	}
	return parse_version(parser, rule);
}

static bool
known(const struct filter_parser *parser, size_t end)
{
	cleanup(freep) char *name =
		filter_unprotect(parser->text, parser->at, end);

	return parser->sonames && parser->sonames->known(parser->sonames, name);
}

/* True if the first .so of the library's text is before end. */
static bool
has_so(const struct filter_parser *parser, size_t end)
{
	const char *start = parser->text + parser->at;
	const char *so = memmem(start, end - parser->at, ".so", 3);

	return so != NULL;
}

/* In a path, a sign that is followed by a slash is part of the path. */
static bool
within_path(const struct filter_parser *parser, size_t end)
{
	const char *start = parser->text + parser->at;
	const char *rest = parser->text + end;

	return memchr(start, '/', end - parser->at) && *rest &&
	       rest[1] != '/' && rest[strcspn(rest, ",@/")] == '/';
}

/* True if the library's name must end here, at the end of the text, at a comma,
 * or at a sign before a regular expression: `-/x/` is a rule. */
static bool
surely_ends(const char *text, size_t end)
{
	return !text[end] || text[end] == ',' || text[end + 1] == '/';
}

/*
 * Finds the end of the library's name. The name extends at most to a comma, to
 * the end of the filter, or to the last sign before an @. If some of the
 * possible names are known sonames, the longest of them is taken. If none is
 * known, the shortest name that contains .so is taken, else the shortest name.
 */
static int
find_library_end(struct filter_parser *parser, size_t *ret_end)
{
	size_t shortest = 0, with_so = 0, longest_known = 0;
	size_t end = parser->at;
	int r;

	for (;; end++) {
		r = scan(parser, end, SIGNS_AND_AT, &end);
		if (r < 0)
			return r;
		if (parser->text[end] == '@')
			break;
		if (within_path(parser, end))
			continue;
		shortest = shortest ? shortest : end;
		if (!with_so && has_so(parser, end))
			with_so = end;
		if (known(parser, end))
			longest_known = end;
		if (surely_ends(parser->text, end))
			break;
	}
	if (!shortest)
		return fail(parser, end, "unexpected '@'");
	*ret_end = longest_known ? longest_known : with_so ? with_so : shortest;
	return 0;
}

static int
parse_library(struct filter_parser *parser, struct filter_rule *rule)
{
	size_t end;
	int r;

	if (parser->text[parser->at] != '@')
		return 0;
	if (rule->library.text)
		return fail(parser, parser->at, "unexpected '@'");
	parser->at++;
	skip_blanks(parser);
	end = parser->text[parser->at] == '/'
		      ? filter_scan_regex(parser->text, parser->at, SIGNS)
		      : 0;
	if (end > 0) {
		take_regex(parser, parser->at + 1, end, &rule->library);
		parser->at = end + 1;
		return 0;
	}
	r = find_library_end(parser, &end);
	if (r < 0 || end == parser->at)
		return r;
	return take_word(parser, end, &rule->library);
}

static struct filter_word
copy_of(const struct filter_word *word)
{
	struct filter_word copy = *word;

	if (word->text)
		copy.text = xstrdup(word->text);
	return copy;
}

/* a,b@lib: the names before the library share it. */
static void
share_library(struct filter_parser *parser)
{
	struct filter_rules *rules = parser->rules;
	size_t last = rules->all.count - 1;

	for (size_t i = parser->listed; i < last; i++)
		rules->all.at[i].library =
			copy_of(&rules->all.at[last].library);
	parser->listed = rules->all.count;
}

static int
parse_rule(struct filter_parser *parser)
{
	struct filter_rule empty = { .subtract = parser->subtract };
	struct filter_rule *rule;
	bool has_library;
	int r;

	vec_push(&parser->rules->all, empty);
	rule = &parser->rules->all.at[parser->rules->all.count - 1];
	skip_blanks(parser);
	r = parse_symbol(parser, rule);
	if (r < 0)
		return r;
	has_library = parser->text[parser->at] == '@' || rule->library.regex;
	r = parse_library(parser, rule);
	if (r < 0)
		return r;
	if (has_library)
		share_library(parser);
	skip_blanks(parser);
	return 0;
}

/* Parses the sign before the next rule; false at the end. */
static bool
parse_sign(struct filter_parser *parser)
{
	char sign = parser->text[parser->at];

	if (!sign)
		return false;
	assert(strchr(SIGNS, sign));
	if (sign != ',') {
		parser->subtract = sign == '-';
		parser->listed = parser->rules->all.count;
	}
	parser->at++;
	return true;
}

/* A leading - or ! subtracts from all functions; a leading + has no effect. */
static void
parse_leading_sign(struct filter_parser *parser)
{
	char sign;

	skip_blanks(parser);
	sign = parser->text[parser->at];
	if (sign == '-' || sign == '!') {
		vec_push(&parser->rules->all, (struct filter_rule){ 0 });
		parser->subtract = true;
	}
	if (sign && strchr("+-!", sign))
		parser->at++;
	parser->listed = parser->rules->all.count;
}

static int
parse_rules(struct filter_parser *parser)
{
	int r;

	skip_blanks(parser);
	if (!parser->text[parser->at])
		return fail(parser, 0, "an empty filter");
	parse_leading_sign(parser);
	do {
		r = parse_rule(parser);
	} while (r == 0 && parse_sign(parser));
	return r;
}

int
filter_rules_parse(const char *text, const struct filter_sonames *sonames,
		   struct filter_rules *ret_rules, size_t *ret_column,
		   struct err *err)
{
	struct filter_rules rules = { 0 };
	struct filter_parser parser = {
		.text = text,
		.sonames = sonames,
		.rules = &rules,
		.err = err,
	};
	int r = parse_rules(&parser);

	if (r < 0) {
		*ret_column = parser.wrong;
		filter_rules_release(&rules);
		return r;
	}
	*ret_rules = rules;
	return 0;
}

void
filter_rules_release(struct filter_rules *rules)
{
	for (size_t i = 0; i < rules->all.count; i++) {
		free(rules->all.at[i].symbol.text);
		free(rules->all.at[i].version.text);
		free(rules->all.at[i].library.text);
	}
	vec_release(&rules->all);
}
