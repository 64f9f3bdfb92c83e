/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of the thousands of functions in the files that are installed with xtrace, a
 * run needs some tens. To parse all of libc's took 20 ms, most of the time to
 * start xtrace. So the lexer calls this file at the start of each item. If a
 * skim can tell the names of an item, the item is not split into tokens, but
 * kept with its place:
 *
 *	"open"	-> item, line 12
 *	"CREAT"	-> item, line 12 -> item, line 40
 *
 * When a name is looked up, all items that may define it are parsed, in the
 * order of the file. While an item is parsed other names are looked up, and so
 * types are parsed before what uses them, wherever they are in the file. An
 * item is parsed once. A struct that contains a pointer to itself finds its own
 * tag, which the parser adds before the fields.
 *
 * Imports are kept as well. The next one is parsed, which reads its file, if a
 * name was found neither in the file nor in the imports before it. An import
 * with a note behind it is parsed at once, and so comes before the kept ones.
 */
#include "base/map.h"
#include "base/vec.h"
#include "conf/model/library_parts.h"
#include "conf/parse/lexer.h"
#include "conf/parse/parser.h"
#include "conf/parse/skim.h"

/* How deep lookups are nested: to parse an item, its types are looked up. The
 * limit bounds the stack. */
#define NESTED_MOST 30

struct deferred_item {
	const char *start;
	size_t length;
	unsigned line;
	bool conditional;
	bool parsed;
};

struct deferred_link {
	struct deferred_item *item;
	struct deferred_link *next;
};

/* The items of one name, in the order of the file. */
struct deferred_name {
	struct deferred_link *first;
	struct deferred_link *last;
	bool function; /* an item may define a prototype of this name */
};

struct deferred {
	struct library_deferred hook;
	struct lex_keeper keeper;
	struct library *library;
	struct whole_file whole;
	struct strmap names; /* struct deferred_name */
	vec_of(struct deferred_item *) imports;
	size_t next_import;
	unsigned nested;
	struct skim skim; /* of the last item */
};

static void
parse_one(struct deferred *deferred, struct deferred_item *item)
{
	const struct lex_source source = {
		.file = deferred->library->file,
		.text = item->start,
		.length = item->length,
		.lines_before = item->line - 1,
		.conditional = item->conditional,
	};

	item->parsed = true;
	parse_source(deferred->library, &source, &deferred->whole);
}

static void
parse_name(struct library_deferred *hook, const char *name)
{
	struct deferred *deferred = container_of(hook, struct deferred, hook);
	const struct deferred_name *known = strmap_get(&deferred->names, name);

	if (!known || deferred->nested >= NESTED_MOST)
		return;
	deferred->nested++;
	for (struct deferred_link *link = known->first; link; link = link->next)
		if (!link->item->parsed)
			parse_one(deferred, link->item);
	deferred->nested--;
}

/* The names are collected before one is parsed, because parsing may add names
 * to the map. */
static void
parse_protos(struct library_deferred *hook)
{
	struct deferred *deferred = container_of(hook, struct deferred, hook);
	vec_of(const char *) names = { 0 };
	const char *name;
	size_t cursor = 0;
	void *known;

	while (strmap_next(&deferred->names, &cursor, &name, &known)) {
		if (((const struct deferred_name *)known)->function)
			vec_push(&names, name);
	}
	for (size_t i = 0; i < names.count; i++)
		parse_name(hook, names.at[i]);
	vec_release(&names);
}

static bool
defines_proto(struct library_deferred *hook, const char *name)
{
	struct deferred *deferred = container_of(hook, struct deferred, hook);
	const struct deferred_name *known = strmap_get(&deferred->names, name);

	return known && known->function;
}

static bool
parse_import(struct library_deferred *hook)
{
	struct deferred *deferred = container_of(hook, struct deferred, hook);

	if (deferred->next_import == deferred->imports.count)
		return false;
	parse_one(deferred, deferred->imports.at[deferred->next_import++]);
	return true;
}

static void
free_deferred(struct library_deferred *hook)
{
	struct deferred *deferred = container_of(hook, struct deferred, hook);

	vec_release(&deferred->imports);
	strmap_release(&deferred->names);
	skim_release(&deferred->skim);
	free(deferred);
}

static void
add_name(struct deferred *deferred, const struct skim_name *name,
	 struct deferred_item *item)
{
	struct arena *arena = &deferred->library->arena;
	struct deferred_link *link = arena_zalloc(arena, sizeof(*link));
	struct deferred_name *known;
	char key[SKIM_NAME_MOST + 1];
	void **place;

	memcpy(key, name->start, name->length);
	key[name->length] = '\0';
	place = strmap_place(&deferred->names, key);
	if (!*place)
		*place = arena_zalloc(arena, sizeof(*known));
	known = *place;
	known->function |= name->is_function;
	link->item = item;
	if (known->last)
		known->last->next = link;
	else
		known->first = link;
	known->last = link;
}

static bool
at_item(const struct lexer *lexer)
{
	const struct token *last = lexer_last(lexer);

	return lexer->at_line_start && lexer->at == lexer->line_start &&
	       !lexer->after_marker && lexer->braces == 0 &&
	       (!last || last->kind == TOKEN_DEFINE || token_is(last, ';'));
}

static void
keep_item(struct deferred *deferred, struct lexer *lexer,
	  const struct skim *skim)
{
	struct deferred_item *item =
		arena_zalloc(&deferred->library->arena, sizeof(*item));

	item->start = lexer->at;
	item->length = (size_t)(skim->end - lexer->at);
	item->line = lexer->line;
	item->conditional = lexer->conditionals > 0;
	for (size_t i = 0; i < skim->names.count; i++)
		add_name(deferred, &skim->names.at[i], item);
	if (skim->is_import)
		vec_push(&deferred->imports, item);
	lexer->at = skim->end;
	lexer->line += skim->lines;
	lexer->line_start = skim->line_start;
	lexer->at_line_start = false;
}

static bool
keep_if_possible(struct lex_keeper *keeper, struct lexer *lexer)
{
	struct deferred *deferred =
		container_of(keeper, struct deferred, keeper);

	if (!at_item(lexer) ||
	    !skim_item(&deferred->skim, lexer->at, lexer->end))
		return false;
	keep_item(deferred, lexer, &deferred->skim);
	return true;
}

struct library *
library_parse_later(const char *file, const char *text, size_t length,
		    struct importer *importer, struct complaints *complaints,
		    bool hushed)
{
	struct library *library = library_new(file, importer);
	struct deferred *deferred = xcalloc(1, sizeof(*deferred));
	const char *copy = arena_strndup(&library->arena, text, length);
	const struct lex_source source = { .file = library->file,
					   .text = copy,
					   .length = length,
					   .keeper = &deferred->keeper };

	*deferred = (struct deferred){
		.hook = { .parse = parse_name,
			  .parse_protos = parse_protos,
			  .defines = defines_proto,
			  .parse_import = parse_import,
			  .free = free_deferred },
		.keeper = { keep_if_possible },
		.library = library,
		.whole = { copy, length, importer, complaints, hushed },
	};
	strmap_init(&deferred->names);
	library->deferred = &deferred->hook;
	parse_source(library, &source, &deferred->whole);
	return library;
}
