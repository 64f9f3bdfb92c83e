/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A filter is a list of rules. Each rule selects or deselects the symbols that
 * it matches, and the last match counts. Usually a filter compares each of a
 * program's tens of thousands of symbols with a plain name. Therefore patterns
 * are compiled once (base/pattern.h), the library is compared before the
 * symbol, and a name is demangled only for rules that mean demangled names.
 *
 * A rule means demangled names if its symbol has `::` or `(`. Because few users
 * write the types of results and parameters, such a glob is matched against the
 * whole text, against the text after the return type, and against the bare
 * qualified name. With -C, other rules are matched against the bare name, too.
 *
 * A library with a slash is the path of a file: the whole path if it begins
 * with a slash, else the last parts of the path.
 */
#include "conf/filter/filter.h"

#include "base/pattern.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "conf/filter/demangled.h"
#include "conf/filter/filter_rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum library_kind {
	LIBRARY_ANY,
	LIBRARY_MAIN,
	LIBRARY_LABEL,
	LIBRARY_PATH,
};

/* A pattern that is NULL matches everything. */
struct rule {
	bool subtract;
	bool demangled;
	bool printed; /* compare names in their printed form, too */
	bool regex;
	struct pattern *symbol;
	struct pattern *version;
	enum library_kind kind;
	struct pattern *library;
	char *text;
	size_t column; /* the place of the rule's first word in the filter */
	bool module_seen;
	bool matched;
};

struct filter {
	vec_of(struct rule) rules;
	vec_of(const char *) plain; /* ends with NULL; owned by the patterns */
	bool only_plain;
};

static int
compile(const struct filter_word *word, struct pattern **ret_pattern,
	size_t *ret_column, struct err *err)
{
	int r;

	*ret_pattern = NULL;
	if (!word->text)
		return 0;
	if (word->regex)
		r = pattern_regex(word->text, ret_pattern, err);
	else
		r = pattern_glob(word->text, ret_pattern, err);
	if (r < 0)
		*ret_column = word->column;
	return r;
}

/* In a regular expression, \( begins a group and ( is a parenthesis. */
static bool
means_demangled(const struct filter_word *word)
{
	const char *at = word->text;

	if (!at)
		return false;
	for (; *at; at++) {
		if (word->regex && at[0] == '\\' && at[1])
			at++;
		else if (at[0] == '(' || (at[0] == ':' && at[1] == ':'))
			return true;
	}
	return false;
}

static enum library_kind
library_kind(const struct filter_word *word)
{
	if (!word->text)
		return LIBRARY_ANY;
	if (word->regex)
		return LIBRARY_LABEL;
	if (!strcmp(word->text, "MAIN"))
		return LIBRARY_MAIN;
	return strchr(word->text, '/') ? LIBRARY_PATH : LIBRARY_LABEL;
}

static int
compile_library(struct filter_word word, struct rule *rule, size_t *ret_column,
		struct err *err)
{
	rule->kind = library_kind(&word);
	if (rule->kind == LIBRARY_MAIN)
		return 0;
	if (rule->kind == LIBRARY_PATH && !strncmp(word.text, "./", 2))
		word.text += 2;
	return compile(&word, &rule->library, ret_column, err);
}

static void
add_word(struct str *to, const char *sign, const struct filter_word *word)
{
	if (!word->text)
		return;
	str_add(to, sign);
	str_addf(to, word->regex ? "/%s/" : "%s", word->text);
}

static char *
rule_text(const struct filter_rule *rule)
{
	struct str text;

	str_init(&text);
	add_word(&text, "", &rule->symbol);
	add_word(&text, "@@", &rule->version);
	add_word(&text, "@", &rule->library);
	return str_take(&text);
}

static size_t
rule_column(const struct filter_rule *rule)
{
	if (rule->symbol.text)
		return rule->symbol.column;
	return rule->version.text ? rule->version.column : rule->library.column;
}

static int
compile_rule(const struct filter_rule *from, struct rule *rule,
	     size_t *ret_column, struct err *err)
{
	int r;

	rule->text = rule_text(from);
	rule->column = rule_column(from);
	rule->subtract = from->subtract;
	rule->regex = from->symbol.regex;
	rule->demangled = means_demangled(&from->symbol);
	r = compile(&from->symbol, &rule->symbol, ret_column, err);
	if (r == 0)
		r = compile(&from->version, &rule->version, ret_column, err);
	if (r == 0)
		r = compile_library(from->library, rule, ret_column, err);
	return r;
}

void
filter_compare_printed(struct filter *filter)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		struct rule *rule = &filter->rules.at[i];

		rule->printed = rule->symbol && !rule->demangled;
		if (rule->printed && !rule->subtract)
			filter->only_plain = false;
	}
}

/* The only name that a rule can choose, or NULL. */
static const char *
plain_name(const struct rule *rule)
{
	if (!rule->symbol || rule->demangled)
		return NULL;
	return pattern_exact(rule->symbol);
}

static bool
listed(const struct filter *filter, const char *name)
{
	for (size_t i = 0; i < filter->plain.count; i++) {
		if (!strcmp(filter->plain.at[i], name))
			return true;
	}
	return false;
}

static void
list_plain_names(struct filter *filter)
{
	filter->only_plain = true;
	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct rule *rule = &filter->rules.at[i];
		const char *name = plain_name(rule);

		if (rule->subtract)
			continue;
		if (!name)
			filter->only_plain = false;
		else if (!listed(filter, name))
			vec_push(&filter->plain, name);
	}
	vec_push(&filter->plain, NULL);
}

static int
compile_rules(struct filter *filter, const struct filter_rules *rules,
	      size_t *ret_column, struct err *err)
{
	for (size_t i = 0; i < rules->all.count; i++) {
		struct rule rule = { 0 };
		int r = compile_rule(&rules->all.at[i], &rule, ret_column, err);

		vec_push(&filter->rules, rule);
		if (r < 0)
			return r;
	}
	list_plain_names(filter);
	return 0;
}

int
filter_parse(const char *text, const struct filter_sonames *sonames,
	     struct filter **ret_filter, size_t *ret_column, struct err *err)
{
	struct filter_rules rules;
	struct filter *filter;
	int r = filter_rules_parse(text, sonames, &rules, ret_column, err);

	if (r < 0)
		return r;
	filter = xcalloc(1, sizeof(*filter));
	r = compile_rules(filter, &rules, ret_column, err);
	filter_rules_release(&rules);
	if (r < 0) {
		filter_free(filter);
		return r;
	}
	*ret_filter = filter;
	return 0;
}

void
filter_free(struct filter *filter)
{
	if (!filter)
		return;
	for (size_t i = 0; i < filter->rules.count; i++) {
		pattern_free(filter->rules.at[i].symbol);
		pattern_free(filter->rules.at[i].version);
		pattern_free(filter->rules.at[i].library);
		free(filter->rules.at[i].text);
	}
	vec_release(&filter->rules);
	vec_release(&filter->plain);
	free(filter);
}

/* True if the pattern matches the path, or the part after one of its
 * slashes. */
static bool
path_matches(const struct pattern *pattern, const char *path)
{
	const char *slash;

	if (!path)
		return false;
	while (!pattern_matches(pattern, path)) {
		slash = strchr(path, '/');
		if (!slash)
			return false;
		path = slash + 1;
	}
	return true;
}

static bool
module_matches(const struct rule *rule, const struct filter_module *module)
{
	switch (rule->kind) {
	case LIBRARY_ANY:
		return true;
	case LIBRARY_MAIN:
		return module->main;
	case LIBRARY_LABEL:
		return pattern_matches(rule->library, module->label);
	case LIBRARY_PATH:
		return path_matches(rule->library, module->path) ||
		       path_matches(rule->library, module->linked_as);
	}
	return false;
}

bool
filter_wants_module(const struct filter *filter,
		    const struct filter_module *module)
{
	bool wants = false;

	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct rule *rule = &filter->rules.at[i];
		bool whole =
			!rule->version &&
			(!rule->symbol || pattern_matches_all(rule->symbol));

		if (wants != rule->subtract || (rule->subtract && !whole))
			continue;
		if (module_matches(rule, module))
			wants = !rule->subtract;
	}
	return wants;
}

static bool
demangled_matches(const struct rule *rule, const char *text)
{
	cleanup(freep) char *name = NULL;
	size_t start, end;

	if (pattern_matches(rule->symbol, text))
		return true;
	if (rule->regex)
		return false;
	demangled_name(text, &start, &end);
	if (pattern_matches(rule->symbol, text + start))
		return true;
	name = xstrndup(text + start, end - start);
	return pattern_matches(rule->symbol, name);
}

/* The symbol that the rules are matched against. It is demangled at most
 * once. */
struct matched_symbol {
	const struct filter_symbol *symbol;
	const char *demangled;
	bool asked;
};

static const char *
demangled_of(struct matched_symbol *question)
{
	const struct filter_symbol *symbol = question->symbol;

	if (!question->asked && symbol->demangled)
		question->demangled = symbol->demangled(symbol);
	question->asked = true;
	return question->demangled;
}

/*
 * False if the name cannot be printed as the pattern says. This avoids
 * demangling, which costs time: a mangled name spells out the identifier that
 * its qualified name begins with (Itanium C++ ABI 5.1.2), except that of an
 * operator.
 */
static bool
may_be_printed_as(const struct pattern *pattern, const char *name)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
		"0123456789";
	const char *text = pattern_exact(pattern);
	size_t length = text ? strspn(text, letters) : 0;

	if (name[0] != '_')
		return false;
	return length == 0 || !strncmp(text, "operator", 8) ||
	       memmem(name, strlen(name), text, length);
}

static bool
printed_matches(const struct rule *rule, struct matched_symbol *question)
{
	cleanup(freep) char *name = NULL;
	const char *text;
	size_t start, end;

	if (!may_be_printed_as(rule->symbol, question->symbol->name))
		return false;
	text = demangled_of(question);
	if (!text)
		return false;
	demangled_name(text, &start, &end);
	name = xstrndup(text + start, end - start);
	return pattern_matches(rule->symbol, name);
}

static bool
symbol_matches(const struct rule *rule, struct matched_symbol *question)
{
	const char *version = question->symbol->version;

	if (rule->version &&
	    (!version || !pattern_matches(rule->version, version)))
		return false;
	if (!rule->symbol)
		return true;
	if (!rule->demangled &&
	    pattern_matches(rule->symbol, question->symbol->name))
		return true;
	if (!rule->demangled)
		return rule->printed && printed_matches(rule, question);
	return demangled_of(question) &&
	       demangled_matches(rule, demangled_of(question));
}

bool
filter_chooses(const struct filter *filter, const struct filter_module *module,
	       const struct filter_symbol *symbol)
{
	struct matched_symbol question = { .symbol = symbol };
	bool chosen = false;

	for (size_t i = 0; i < filter->rules.count; i++) {
		struct rule *rule = &filter->rules.at[i];
		bool changes = chosen == rule->subtract;

		/* A rule that would not change the choice is skipped, unless it
		 * adds symbols and has not matched yet: filter_rule() tells
		 * whether such a rule has ever matched. */
		if ((!changes && (rule->subtract || rule->matched)) ||
		    !module_matches(rule, module) ||
		    !symbol_matches(rule, &question))
			continue;
		rule->matched = true;
		chosen = !rule->subtract;
	}
	return chosen;
}

bool
filter_could_choose(const struct filter *filter, const char *name)
{
	bool could = false;

	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct rule *rule = &filter->rules.at[i];
		bool whole =
			!rule->symbol || (!rule->demangled &&
					  pattern_matches(rule->symbol, name));

		if (!rule->subtract)
			could |= whole || rule->demangled;
		else if (whole && !rule->version && rule->kind == LIBRARY_ANY)
			could = false;
	}
	return could;
}

void
filter_saw_module(struct filter *filter, const struct filter_module *module)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		struct rule *rule = &filter->rules.at[i];

		rule->module_seen |= module_matches(rule, module);
	}
}

bool
filter_rule(const struct filter *filter, size_t number,
	    struct filter_rule_seen *ret_rule)
{
	for (size_t i = 0; i < filter->rules.count; i++) {
		const struct rule *rule = &filter->rules.at[i];

		if (rule->subtract || number-- > 0)
			continue;
		*ret_rule = (struct filter_rule_seen){
			.text = rule->text,
			.column = rule->column,
			.symbol = plain_name(rule),
			.library = rule->library ? pattern_exact(rule->library)
						 : NULL,
			.any_library = rule->kind == LIBRARY_ANY,
			.main = rule->kind == LIBRARY_MAIN,
			.module_seen = rule->module_seen,
			.matched = rule->matched,
		};
		return true;
	}
	return false;
}

const char *const *
filter_plain_names(const struct filter *filter, bool *ret_only)
{
	if (ret_only)
		*ret_only = filter->only_plain;
	return (const char *const *)filter->plain.at;
}

bool
filter_means_system_calls(const char *text)
{
	const char *at = strchr(text, '@');

	return at && at > text && !strcmp(at, "@SYS");
}
