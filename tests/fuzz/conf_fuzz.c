/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototype files; behind a '?', conditions of --if; behind a '@', tables of
 * aliases. For any input: what is accepted has a dump that is read again
 * without a complaint and means the same; every complaint has a place in the
 * text; a condition has a value or an error; an alias is found by its name.
 */
#include "base/xmalloc.h"
#include "conf/dump/dump.h"
#include "conf/find/aliases.h"
#include "conf/model/expr.h"
#include "conf/model/library_parts.h"
#include "conf/parse/condition.h"
#include "conf/parse/parse.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
check_places(const struct complaints *complaints, size_t length)
{
	for (size_t i = 0; i < complaints->list.count; i++) {
		const struct complaint *complaint = &complaints->list.at[i];
		struct str to;

		/* The complaint with the number COMPLAINTS_MOST has no place:
		 * it only says that the file has more mistakes. */
		if (i == COMPLAINTS_MOST) {
			assert(complaint->line == 0 && !complaint->source);
			continue;
		}
		assert(complaint->line > 0 && complaint->line <= length + 1);
		assert(complaint->source_column > 0);
		assert(complaint->column >= complaint->source_column);
		str_init(&to);
		complaint_print_with_caret(complaint, &to);
		str_release(&to);
	}
}

/* True if the file uses a type as an opaque one before it defines the type. The
 * dump defines such a type before its first use. */
static bool
uses_before_definition(const struct library *library)
{
	for (size_t i = 0; i < library->type_list.count; i++) {
		const char *name = library->type_list.at[i]->name;

		if (name[0] == '?' && library_type(library, name + 2))
			return true;
	}
	return false;
}

/* A dump has more brackets than its source, so the parser may refuse it because
 * it is nested too deep. */
static bool
is_too_deep(const struct complaints *complaints)
{
	for (size_t i = 0; i < complaints->list.count; i++) {
		if (strstr(complaints->list.at[i].text, "too"))
			return true;
	}
	return false;
}

/* Parses the text as a prototype file. Returns true if it has a mistake. */
static bool
read_file(const char *text, size_t length, struct str *dump, bool *ret_odd)
{
	struct complaints complaints;
	struct library *library;
	bool wrong;

	complaints_init(&complaints);
	library = library_parse("fuzz", text, length, NULL, &complaints);
	dump_library(library, dump);
	check_places(&complaints, length);
	*ret_odd = uses_before_definition(library) || is_too_deep(&complaints);
	wrong = complaints.list.count > 0;
	complaints_release(&complaints);
	library_free(library);
	return wrong;
}

/* All names of the file are looked up while most of it is not parsed. */
static void
try_later(const char *text, size_t length)
{
	struct complaints complaints;
	struct library *now, *later;
	const struct proto *proto;
	int64_t value;

	complaints_init(&complaints);
	now = library_parse("fuzz", text, length, NULL, &complaints);
	later = library_parse_later("fuzz", text, length, NULL, &complaints,
				    false);
	for (size_t i = 0; (proto = library_proto_at(now, i)); i++)
		library_proto(later, proto->name);
	for (size_t i = 0; i < now->type_list.count; i++)
		library_type(later, now->type_list.at[i]->name);
	library_constant(later, "A", &value);
	library_free(now);
	library_free(later);
	complaints_release(&complaints);
}

static void
try_file(const char *text, size_t length)
{
	struct str once, twice;
	bool wrong, odd, too_deep;

	str_init(&once);
	str_init(&twice);
	read_file(text, length, &once, &odd);
	wrong = read_file(str_text(&once), once.length, &twice, &too_deep);
	if (!odd && (wrong || strcmp(str_text(&once), str_text(&twice)) != 0)) {
		fprintf(stderr, "once:\n%s\ntwice:\n%s\n", str_text(&once),
			str_text(&twice));
		abort();
	}
	str_release(&once);
	str_release(&twice);
	try_later(text, length);
}

static int
any_leaf(struct expr_scope *scope, const struct expr *leaf,
	 struct expr_value *ret_value)
{
	(void)scope;
	*ret_value = (struct expr_value){
		.kind = (enum expr_value_kind)(leaf->number % 3),
		.number = leaf->number - 5,
		.real = (double)leaf->number / 3,
		.text = "text",
	};
	return 0;
}

static void
try_condition(const char *text)
{
	struct expr_scope scope = { any_leaf };
	struct condition *condition = NULL;
	size_t column = 0;
	struct err err = { "" };
	int64_t number;
	bool truth;
	struct str dump;

	if (condition_parse(text, &condition, &column, &err) < 0) {
		assert(!condition && err.text[0] && column <= strlen(text));
		return;
	}
	str_init(&dump);
	dump_expr(NULL, condition_expr(condition), &dump);
	if (expr_number(condition_expr(condition), &scope, &number) == 0)
		assert(expr_true(condition_expr(condition), &scope, &truth) ==
		       0);
	condition_free(condition);
	str_release(&dump);
}

static void
try_aliases(const char *text, size_t length)
{
	struct complaints complaints;
	struct aliases aliases;

	complaints_init(&complaints);
	aliases_init(&aliases);
	aliases_parse(&aliases, "fuzz", text, length, &complaints);
	check_places(&complaints, length);
	for (size_t i = 0; i < aliases.list.count; i++) {
		struct alias *alias = aliases.list.at[i];

		assert(aliases_find(&aliases, alias->name) == alias);
		assert(alias->file[0] && !strchr(alias->name, '/'));
		alias_misses(alias, "fuzz", &complaints);
	}
	check_places(&complaints, length);
	aliases_release(&aliases);
	complaints_release(&complaints);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	char *text = xmalloc(length + 1);

	memcpy(text, bytes, length);
	text[length] = '\0';
	if (text[0] == '?')
		try_condition(text + 1);
	else if (text[0] == '@')
		try_aliases(text + 1, length - 1);
	else
		try_file(text, length);
	free(text);
	return 0;
}
