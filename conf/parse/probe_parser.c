/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three items that only sets have:
 *
 *	set   := "set" "ABOUT" ";"
 *	word  := ("wire" [ NAME { "," NAME } ] | "connects") ";"
 *	probe := "probe" NAME { "," NAME } [ "in" "MODULE" ] [ "at" place ]
 *		 [ "for" "bind" ] "{" { act } "}"
 *	place := NAME [ "+" NUMBER ] | "php" "FUNCTION"
 *	act   := "show" names [ "on" "error" ] [ if ] ";"
 *	       | "bind" names [ if ] ";"
 *	       | "keep" ( NAME [ "[" expr "]" ] | "TEXT" ) "as" cell [ if ] ";"
 *	       | "recall" NAME "from" source { "or" source } [ if ] ";"
 *	       | "gather" NAME "from" cell ";"
 *	       | "forget" cell [ if ] ";"
 *	       | "begin" cell [ "inside" ] [ "anew" ] [ if ] ";"
 *	       | "answered" cell [ if ] ";"
 *	       | "link" cell "as" cell [ "while" NAME ] [ "rows" NAME ]
 *		 [ if ] ";"
 *	       | "end" cell [ if ] ";"
 *	       | "result" expr [ if ] ";"
 *	       | "error" [ expr { "," expr } ] [ if ] ";"
 *	       | "rows" expr [ if ] ";"
 *	       | "transaction" expr "," expr [ if ] ";"
 *	       | "server" expr [ "," expr ] [ if ] ";"
 *	       | "database" expr [ if ] ";"
 *	cell  := NAME "[" expr { "," expr } "]"
 *	if    := "if" expr
 *
 * The functions have their prototypes in this file, above, or in an imported
 * file. The text between the braces is parsed once for each function that is
 * named, because their parameters differ.
 */
#include "conf/parse/parser.h"

#include "conf/model/probe.h"

#include <errno.h>
#include <stdint.h>

#define ACTS_MOST 64

struct draft {
	struct probe probe;
	vec_of(struct act) acts;
	vec_of(const char *) recalled;
};

int
parse_set(struct parser *p)
{
	const struct token *token;

	advance(p);
	token = advance(p);
	if (p->library->about)
		return complain(p, token, "the set is described twice");
	p->library->about = token->name;
	return accept_mark(p, ';') || peek(p)->first_on_line
		       ? 0
		       : expected(p, "';'");
}

/* Parses the protocols behind "wire", or nothing. */
static int
parse_protocols(struct parser *p)
{
	static const struct {
		const char *name;
		unsigned bit;
	} protocols[] = {
		{ "redis", WIRE_REDIS },
		{ "memcached", WIRE_MEMCACHED },
		{ "http", WIRE_HTTP },
	};

	if (at_mark(p, ';')) {
		p->library->wire |= WIRE_DATABASES;
		return 0;
	}
	do {
		unsigned bit = 0;

		for (size_t i = 0; i < array_size(protocols); i++) {
			if (at_word(p, protocols[i].name))
				bit = protocols[i].bit;
		}
		if (bit == 0)
			return expected(p, "redis, memcached or http");
		advance(p);
		p->library->wire |= bit;
	} while (accept_mark(p, ','));
	return 0;
}

int
parse_set_word(struct parser *p)
{
	bool wire = at_word(p, "wire");
	const struct token *token = advance(p);

	if (!p->library->about)
		return complain(p, token, "%s needs the set's line before it",
				wire ? "wire" : "connects");
	if (!wire)
		p->library->connects = true;
	else if (parse_protocols(p) < 0)
		return -EINVAL;
	return expect_mark(p, ';');
}

/* ---- the parts of an act --------------------------------------------------
 */

static int
parse_condition(struct parser *p, struct act *act)
{
	if (!accept_word(p, "if"))
		return 0;
	return parse_expr(p, &act->condition);
}

/* Parses TABLE[EXPR, EXPR]. */
static int
parse_cell(struct parser *p, struct act *act)
{
	int r;

	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "the name of a table");
	act->table = advance(p)->name;
	r = expect_mark(p, '[');
	while (r == 0) {
		if (act->key_count == ACT_KEYS_MOST)
			return complain(p, peek(p), "there are at most %d keys",
					ACT_KEYS_MOST);
		r = parse_expr(p, &act->keys[act->key_count++]);
		if (r < 0 || !accept_mark(p, ','))
			break;
	}
	return r < 0 ? r : expect_mark(p, ']');
}

static int
parse_values(struct parser *p, unsigned most, struct act *act)
{
	do {
		int r;

		if (act->value_count == most)
			return complain(p, peek(p), "that is one too many");
		r = parse_expr(p, &act->values[act->value_count++]);
		if (r < 0)
			return r;
	} while (accept_mark(p, ','));
	return 0;
}

static size_t
param_named(const struct proto *proto, const char *name)
{
	for (size_t i = 0; i < proto->count; i++) {
		const char *param = proto->params[i].name;

		if (param && !strcmp(bare_name(param), bare_name(name)))
			return i;
	}
	return SIZE_MAX;
}

/* Parses the name of a parameter, or a name that an earlier act recalled. */
static int
parse_name(struct parser *p, struct draft *draft, struct act *act)
{
	const struct token *token = peek(p);

	if (token->kind != TOKEN_NAME)
		return expected(p, "a name");
	advance(p);
	act->name = token->name;
	act->param = param_named(draft->probe.proto, token->name);
	if (act->param != SIZE_MAX)
		return 0;
	for (size_t i = 0; i < draft->recalled.count; i++) {
		if (!strcmp(draft->recalled.at[i], token->name))
			return 0;
	}
	return complain(p, token, "'%s' is no parameter of %s", token->name,
			draft->probe.name);
}

/* ---- the acts -------------------------------------------------------------
 */

static int
parse_names(struct parser *p, struct draft *draft, struct act *act)
{
	size_t first = draft->acts.count;

	do {
		int r = parse_name(p, draft, act);

		if (r < 0)
			return r;
		vec_push(&draft->acts, *act);
	} while (accept_mark(p, ','));
	if (act->kind == ACT_SHOW && at_word(p, "on") &&
	    token_is_word(peek_at(p, 1), "error")) {
		advance(p);
		advance(p);
		for (size_t i = first; i < draft->acts.count; i++)
			draft->acts.at[i].on_error = true;
	}
	if (!at_word(p, "if"))
		return 0;
	if (parse_condition(p, act) < 0)
		return -EINVAL;
	for (size_t i = first; i < draft->acts.count; i++)
		draft->acts.at[i].condition = act->condition;
	return 0;
}

/* Parses NAME, or NAME[COUNT]: that many elements of what the parameter points
 * to. */
static int
parse_kept(struct parser *p, struct draft *draft, struct act *act)
{
	int r = parse_name(p, draft, act);

	if (r < 0 || !accept_mark(p, '['))
		return r;
	r = parse_expr(p, &act->values[0]);
	return r < 0 ? r : expect_mark(p, ']');
}

static int
parse_keep(struct parser *p, struct draft *draft, struct act *act)
{
	bool literal = peek(p)->kind == TOKEN_TEXT;
	int r = literal ? parse_expr(p, &act->values[0])
			: parse_kept(p, draft, act);

	if (r == 0 && !accept_word(p, "as"))
		r = expected(p, "'as'");
	if (r == 0)
		r = parse_cell(p, act);
	if (r == 0)
		r = parse_condition(p, act);
	if (r == 0)
		vec_push(&draft->acts, *act);
	return r;
}

static int
parse_recall(struct parser *p, struct draft *draft, struct act *act)
{
	size_t first = draft->acts.count;
	int r = 0;

	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "a name");
	act->name = advance(p)->name;
	act->param = SIZE_MAX;
	if (param_named(draft->probe.proto, act->name) != SIZE_MAX)
		return complain(p, peek(p), "'%s' is a parameter already",
				act->name);
	if (!accept_word(p, "from"))
		return expected(p, "'from'");
	do {
		struct act one = *act;

		if (act->kind == ACT_GATHER || token_is(peek_at(p, 1), '['))
			r = parse_cell(p, &one);
		else
			r = parse_values(p, 1, &one);
		if (r == 0)
			vec_push(&draft->acts, one);
	} while (r == 0 && act->kind == ACT_RECALL && accept_word(p, "or"));
	if (r == 0)
		r = parse_condition(p, act);
	for (size_t i = first; i < draft->acts.count; i++)
		draft->acts.at[i].condition = act->condition;
	if (r == 0)
		vec_push(&draft->recalled, act->name);
	return r;
}

static int
parse_cell_act(struct parser *p, struct draft *draft, struct act *act)
{
	int r = parse_cell(p, act);

	if (r == 0 && act->kind == ACT_BEGIN) {
		act->inside = accept_word(p, "inside");
		act->anew = accept_word(p, "anew");
	}
	if (r == 0)
		r = parse_condition(p, act);
	if (r == 0)
		vec_push(&draft->acts, *act);
	return r;
}

/* Parses the word and the name of a function, if the word is next. */
static int
parse_function(struct parser *p, const char *word, const char **ret_name)
{
	if (!accept_word(p, word))
		return 0;
	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "the name of a function");
	*ret_name = advance(p)->name;
	return 0;
}

static int
parse_link(struct parser *p, struct draft *draft, struct act *act)
{
	struct act from = { .kind = ACT_LINK };
	int r = parse_cell(p, &from);

	if (r == 0 && !accept_word(p, "as"))
		r = expected(p, "'as'");
	if (r == 0)
		r = parse_cell(p, act);
	act->from = arena_copy(p->arena, &from, sizeof(from));
	if (r == 0)
		r = parse_function(p, "while", &act->name);
	if (r == 0)
		r = parse_function(p, "rows", &act->rows);
	if (r == 0)
		r = parse_condition(p, act);
	if (r == 0)
		vec_push(&draft->acts, *act);
	return r;
}

static int
parse_value_act(struct parser *p, struct draft *draft, struct act *act)
{
	static const unsigned most[ACT_KINDS] = {
		[ACT_RESULT] = 1, [ACT_ERROR] = ACT_VALUES_MOST,
		[ACT_ROWS] = 1,	  [ACT_TRANSACTION] = 2,
		[ACT_SERVER] = 2, [ACT_DATABASE] = 1,
	};
	int r = 0;

	if (act->kind != ACT_ERROR || !at_word(p, "if"))
		r = parse_values(p, most[act->kind], act);
	if (r == 0 && act->kind == ACT_TRANSACTION && act->value_count < 2)
		r = expected(p, "',' and whether there is a transaction");
	if (r == 0)
		r = parse_condition(p, act);
	if (r == 0)
		vec_push(&draft->acts, *act);
	return r;
}

struct act_word {
	const char *word;
	int (*parse)(struct parser *p, struct draft *draft, struct act *act);
};

static const struct act_word words[ACT_KINDS] = {
	[ACT_SHOW] = { "show", parse_names },
	[ACT_BIND] = { "bind", parse_names },
	[ACT_KEEP] = { "keep", parse_keep },
	[ACT_GATHER] = { "gather", parse_recall },
	[ACT_RECALL] = { "recall", parse_recall },
	[ACT_FORGET] = { "forget", parse_cell_act },
	[ACT_BEGIN] = { "begin", parse_cell_act },
	[ACT_ANSWERED] = { "answered", parse_cell_act },
	[ACT_LINK] = { "link", parse_link },
	[ACT_END] = { "end", parse_cell_act },
	[ACT_RESULT] = { "result", parse_value_act },
	[ACT_ERROR] = { "error", parse_value_act },
	[ACT_ROWS] = { "rows", parse_value_act },
	[ACT_TRANSACTION] = { "transaction", parse_value_act },
	[ACT_SERVER] = { "server", parse_value_act },
	[ACT_DATABASE] = { "database", parse_value_act },
};

static int
parse_act(struct parser *p, struct draft *draft)
{
	for (enum act_kind kind = 0; kind < ACT_KINDS; kind++) {
		struct act act = { .kind = kind, .param = SIZE_MAX };
		int r;

		if (!at_word(p, words[kind].word))
			continue;
		advance(p);
		r = words[kind].parse(p, draft, &act);
		return r < 0 ? r : expect_mark(p, ';');
	}
	return expected(p, "show, keep, recall, ... or '}'");
}

/* ---- the probe ------------------------------------------------------------
 */

/* Resolves parameters and constants. Other names are mistakes. */
static void
resolve(struct parser *p, const struct proto *proto)
{
	const char **names = arena_alloc(p->arena, (proto->count +
						    1) * sizeof(const char *));

	for (size_t i = 0; i < proto->count; i++)
		names[i] = proto->params[i].name;
	resolve_names(p, 0, EXPR_ARG, names, proto->count, false);
	resolve_constants(p, 0);
	complain_about_names(p, 0);
}

static int
parse_body(struct parser *p, struct draft *draft)
{
	int r = expect_mark(p, '{');

	p->in_probe = true;
	p->patterns = &p->library->patterns;
	while (r == 0 && !accept_mark(p, '}')) {
		if (draft->acts.count >= ACTS_MOST)
			r = complain(p, peek(p), "these are too many acts");
		else
			r = parse_act(p, draft);
	}
	p->in_probe = false;
	p->patterns = NULL;
	if (r == 0)
		resolve(p, draft->probe.proto);
	return r;
}

static int
add_probe(struct parser *p, const struct token *name, const struct probe *place)
{
	struct draft draft = { .probe = *place };
	int r;

	draft.probe.name = name->name;
	draft.probe.library = p->library;
	draft.probe.proto = library_proto(p->library, name->name);
	if (!draft.probe.proto)
		return complain(p, name, "'%s' has no prototype", name->name);
	r = parse_body(p, &draft);
	draft.probe.count = draft.acts.count;
	draft.probe.acts = arena_copy(p->arena, draft.acts.at,
				      draft.acts.count * sizeof(struct act));
	if (r == 0 && !p->item.bad)
		vec_push(&p->library->probes, arena_copy(p->arena, &draft.probe,
							 sizeof(draft.probe)));
	vec_release(&draft.acts);
	vec_release(&draft.recalled);
	return r;
}

static int
parse_place(struct parser *p, struct probe *probe)
{
	int64_t offset = 0;
	int r = 0;

	if (at_word(p, "php") && peek_at(p, 1)->kind == TOKEN_TEXT) {
		advance(p);
		probe->php = advance(p)->name;
		return 0;
	}
	if (peek(p)->kind != TOKEN_NAME)
		return expected(p, "the name of a table of functions");
	probe->symbol = advance(p)->name;
	if (accept_mark(p, '+'))
		r = parse_constant(p, &offset);
	if (r == 0 && (offset < 0 || offset > 1 << 20))
		return complain(p, peek(p), "the offset is out of range");
	probe->offset = (size_t)offset;
	return r;
}

int
parse_probe(struct parser *p)
{
	const struct token *first;
	struct probe place = { 0 };
	size_t body, count = 1;
	int r = 0;

	if (!p->library->about)
		return complain(p, peek(p),
				"only a set has probes: it begins with "
				"set \"what it is about\";");
	advance(p);
	first = peek(p);
	for (;; count++) {
		if (peek(p)->kind != TOKEN_NAME)
			return expected(p, "the name of a function");
		advance(p);
		if (!accept_mark(p, ','))
			break;
	}
	if (accept_word(p, "in")) {
		if (peek(p)->kind != TOKEN_TEXT)
			return expected(p, "\"MODULE\"");
		place.module = advance(p)->name;
	}
	if (accept_word(p, "at"))
		r = parse_place(p, &place);
	if (r == 0 && accept_word(p, "for")) {
		place.for_bind = accept_word(p, "bind");
		if (!place.for_bind)
			r = expected(p, "'bind'");
	}
	if (r == 0 && !at_mark(p, '{'))
		r = expected(p, "'{'");
	body = p->at;
	for (size_t i = 0; i < count && r == 0; i++) {
		p->at = body;
		r = add_probe(p, &first[2 * i], &place);
	}
	return r;
}
