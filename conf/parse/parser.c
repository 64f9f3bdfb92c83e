/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A prototype file, item by item:
 *
 *	item := "import" "FILE" ";"
 *	      | "typedef" NAME "=" type ";"		ltrace's
 *	      | "typedef" NAME "=" "struct" ";"		declared, defined below
 *	      | "typedef" specifier declarator { "," declarator } ";"
 *	      | "alias" NAME "=" NAME ";"		the same prototype
 *	      | [ "function" ] [ "+" ] specifier declarator ... ";"
 *	      | "extern" "C" "{" | "}"			of a C++ header
 *	      | "set" "ABOUT" ";"
 *	      | ( "wire" [ protocols ] | "connects" ) ";"
 *	      | "probe" ...				see probe_parser.c
 *	      | struct, union and enum definitions
 *
 * The ';' may be missing at the end of a line. An item with a mistake is
 * skipped. Parsing continues after the ';' that ends it, or at a line that
 * begins no further right than the item, because a missing bracket must not
 * cost more than its own item:
 *
 *	int f(int			<- complained about and skipped
 *	int g(int);			<- parsed
 *
 * The constants of the preprocessor are collected first, from the whole file,
 * because a #define may be inside a struct.
 */
#include "conf/parse/condition.h"
#include "conf/parse/parser.h"

#include <errno.h>
#include <string.h>

static void
begin_item(struct parser *p)
{
	p->item = (struct item){ .start = peek(p) };
	vec_clear(&p->pending);
	vec_clear(&p->drafts);
}

/* How many braces were opened from the item's start to here. */
static int
open_braces(const struct parser *p)
{
	int open = 0;

	for (const struct token *token = p->item.start; token < peek(p);
	     token++) {
		open += token_is(token, '{');
		open -= token_is(token, '}');
	}
	return open;
}

/* Moves behind the item with the mistake. */
static void
recover(struct parser *p)
{
	int open = open_braces(p);

	while (peek(p)->kind != TOKEN_END) {
		const struct token *token = peek(p);

		if (token > p->item.start && token->first_on_line &&
		    token->indent <= p->item.start->column &&
		    !token_is(token, '}') && !token_is(token, ')') &&
		    !token_is(token, '{'))
			return;
		advance(p);
		open += token_is(token, '{');
		open -= token_is(token, '}');
		if (token_is(token, ';') && open <= 0) {
			skip_note(p);
			return;
		}
	}
}

static void
parse_items(struct parser *p)
{
	while (peek(p)->kind != TOKEN_END) {
		begin_item(p);
		p->depth = 0;
		p->in_callback = p->slash_ends = false;
		if (parse_item(p) < 0)
			recover(p);
		/* Pointers are decided for an item with a mistake, too, because
		 * the library may use a part of it. */
		decide_drafts(p);
	}
}

#define NAME_CHARACTERS \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

/* The constants defined so far; a #define may use them. */
struct defined {
	struct expr_scope scope;
	const struct library *library;
};

static int
defined_leaf(struct expr_scope *scope, const struct expr *leaf,
	     struct expr_value *ret_value)
{
	const struct defined *defined =
		container_of(scope, struct defined, scope);

	*ret_value = (struct expr_value){ .kind = EXPR_VALUE_NUMBER };
	if (leaf->kind == EXPR_NAME &&
	    library_constant(defined->library, leaf->name, &ret_value->number))
		return 0;
	return -ENODATA;
}

/* Reads "NAME VALUE" if the value is a number. */
static void
read_define(struct parser *p, const struct token *token)
{
	struct defined defined = { { defined_leaf }, p->library };
	const char *at = token->name + strspn(token->name, " \t");
	size_t length = strspn(at, NAME_CHARACTERS);
	struct condition *condition;
	int64_t value;

	if (length == 0 || at[0] <= '9' || !strchr(" \t", at[length]))
		return;
	if (condition_parse(at + length, &condition, NULL, NULL) < 0)
		return;
	if (expr_number(condition_expr(condition), &defined.scope, &value) == 0)
		library_add_constant(p->library,
				     arena_strndup(p->arena, at, length), value)
			->used = true;
	condition_free(condition);
}

/* Removes the directives from the tokens and reads them. */
static void
read_defines(struct parser *p, struct tokens *tokens)
{
	size_t kept = 0;

	for (size_t i = 0; i < tokens->list.count; i++) {
		if (tokens->list.at[i].kind == TOKEN_DEFINE)
			read_define(p, &tokens->list.at[i]);
		else
			tokens->list.at[kept++] = tokens->list.at[i];
	}
	tokens->list.count = kept;
}

static int
compare_places(const void *a, const void *b)
{
	const struct complaint *left = a, *right = b;

	if (left->line != right->line)
		return left->line < right->line ? -1 : 1;
	if (left->column != right->column)
		return left->column < right->column ? -1 : 1;
	return 0;
}

/* Sorts the complaints of this file, and adds to each the text of its line. */
static void
finish_complaints(struct complaints *complaints, const char *text,
		  size_t length)
{
	const char *end = text + length;
	unsigned line = 1;

	vec_sort(&complaints->list, compare_places);
	for (size_t i = 0; i < complaints->list.count; i++) {
		struct complaint *complaint = &complaints->list.at[i];
		const char *newline;

		for (; line < complaint->line; line++) {
			newline = memchr(text, '\n', (size_t)(end - text));
			text = newline ? newline + 1 : end;
		}
		complaint_take_source(complaint, text, end);
	}
}

struct library *
library_new(const char *file, const struct importer *importer)
{
	struct library *library = xcalloc(1, sizeof(*library));

	library->word = importer && importer->word ? importer->word : TYPE_WORD;
	arena_init(&library->arena);
	library->file = arena_strdup(&library->arena, file);
	return library;
}

void
parse_source(struct library *library, const struct lex_source *source,
	     const struct whole_file *whole)
{
	struct complaints own;
	struct parser p = { .library = library,
			    .arena = &library->arena,
			    .importer = whole->importer,
			    .complaints = &own,
			    .file = library->file };
	struct tokens tokens;

	complaints_init(&own);
	own.most = COMPLAINTS_MOST;
	own.repeated = whole->complaints->repeated;
	lex(source, p.arena, &own, &tokens);
	read_defines(&p, &tokens);
	p.tokens = tokens.list.at;
	parse_items(&p);
	finish_complaints(&own, whole->text, whole->length);
	for (size_t i = 0; i < own.list.count; i++) {
		if (whole->hushed)
			complaint_hush(&own.list.at[i]);
		vec_push(&whole->complaints->list, own.list.at[i]);
	}
	if (own.dropped)
		complaints_add(whole->complaints, library->file, 0, 0,
			       "more than %d mistakes, the rest is not shown",
			       COMPLAINTS_MOST);
	vec_release(&own.list);
	vec_release(&p.pending);
	vec_release(&p.drafts);
	tokens_release(&tokens);
}

struct library *
library_parse(const char *file, const char *text, size_t length,
	      struct importer *importer, struct complaints *complaints)
{
	struct library *library = library_new(file, importer);
	const struct whole_file whole = { text, length, importer, complaints,
					  false };
	const struct lex_source source = { .file = library->file,
					   .text = text,
					   .length = length };

	parse_source(library, &source, &whole);
	return library;
}
