/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values, keys and outcome of one probed call
 * (tracer/queries/probe_scope.h). */
#include "tracer/queries/probe_scope.h"

#include "arch/code.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/library.h"
#include "conf/model/type.h"
#include "stacks/statement.h"
#include "symbols/symtab.h"
#include "tracer/queries/probe_memory.h"
#include "values/abi.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "values/items.h"
#include "values/scope.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of an error's message that are kept. */
#define MESSAGE_MOST 1024

struct probe_scope {
	struct expr_scope expr;
	struct scope arguments;
	struct probed *of;
};

static void probe_scope_init(struct probe_scope *scope, struct probed *of);

/* ---- f(x)
 * --------------------------------------------------------------------
 */

/* Returns the address of the function with this name in the module of the
 * probed function, or 0. */
static addr_t
accessor_address(const struct probed *of, const char *name)
{
	const struct module *module =
		modmap_covering(&of->program->modules, of->function);
	const struct symbol *symbol;

	if (!module)
		return 0;
	symbol = symtab_find(module->image, SYMTAB_DYNAMIC, name);
	if (!symbol)
		symbol = symtab_find(module->image, SYMTAB_ALL, name);
	if (!symbol || symbol->kind != SYMBOL_FUNCTION)
		return 0;
	return module->bias + symbol->address;
}

static void
return_value(struct probed *of, const struct proto *proto, uint64_t result,
	     struct value *ret_value)
{
	uint64_t *raw = arena_zalloc(&of->call->arena, ABI_REGISTER_BYTES);

	raw[0] = result;
	value_of_bytes(ret_value, proto->returns, raw, ABI_REGISTER_BYTES,
		       of->memory, NULL);
}

/* A call that has returned inside the program may have returned an object that
 * is freed by now, so its accessors must not be asked. Returns 1 if the
 * accessor's value for the object is known, 0 if the accessor may be asked
 * (there is no object if the result is NULL), or -ENODATA. of->function may be
 * a later function of the query, of whose result nothing is known. */
static int
known_value(const struct probed *of, const struct expr *call,
	    uint64_t *ret_result)
{
	const struct open_call *open = report_open(of->call);
	const struct ended_inside *ended = open->ended;

	if (!ended)
		return 0;
	if (call->left->kind != EXPR_RETVAL)
		return ended->changed ? -ENODATA : 0;
	if (of->function != open->tracepoint->address)
		return -ENODATA;
	if (!ended->result)
		return 0;
	if (!ended->accessor || strcmp(call->name, ended->accessor) != 0)
		return -ENODATA;
	*ret_result = ended->value;
	return 1;
}

static int
call_value(struct probed *of, const struct expr *call, struct value *ret_value)
{
	const struct proto *proto =
		library_proto(of->probing->probe->library, call->name);
	addr_t entry = accessor_address(of, call->name);
	uint64_t numbers[2], result;
	struct probe_scope scope;
	int r;

	if (!proto || !entry || !of->memory)
		return -ENODATA;
	r = known_value(of, call, &result);
	if (r < 0)
		return r;
	if (r > 0) {
		return_value(of, proto, result, ret_value);
		return 0;
	}
	probe_scope_init(&scope, of);
	r = expr_number(call->left, &scope.expr, (int64_t *)&numbers[0]);
	if (r == 0 && call->right)
		r = expr_number(call->right, &scope.expr,
				(int64_t *)&numbers[1]);
	if (r == 0)
		r = of->program->space->arch->code->accessor(
			&of->memory->reader, entry, numbers,
			call->right ? 2 : 1, &result);
	if (r < 0)
		return -ENODATA;
	return_value(of, proto, result, ret_value);
	return 0;
}

static int
leaf(struct expr_scope *expr, const struct expr *leaf,
     struct expr_value *ret_value)
{
	struct probe_scope *scope =
		container_of(expr, struct probe_scope, expr);
	struct value value;
	int r;

	if (leaf->kind != EXPR_CALL)
		return scope_leaf(&scope->arguments.expr, leaf, ret_value);
	r = call_value(scope->of, leaf, &value);
	return r < 0 ? r : scope_value(&value, ret_value);
}

static void
probe_scope_init(struct probe_scope *scope, struct probed *of)
{
	*scope = (struct probe_scope){ .expr = { .leaf = leaf }, .of = of };
	scope_init(&scope->arguments, of->call->event.arguments, NULL);
}

bool
probe_value(struct probed *of, const struct expr *expr,
	    struct expr_value *ret_value)
{
	struct probe_scope scope;

	probe_scope_init(&scope, of);
	return expr_evaluate(expr, &scope.expr, ret_value) == 0;
}

bool
probe_holds(struct probed *of, const struct act *act)
{
	struct probe_scope scope;
	bool holds;

	if (!act->condition)
		return true;
	probe_scope_init(&scope, of);
	return expr_true(act->condition, &scope.expr, &holds) == 0 && holds;
}

bool
probe_count(struct probed *of, const struct expr *expr, uint64_t *ret_count)
{
	struct expr_value value;

	if (!probe_value(of, expr, &value) || value.kind != EXPR_VALUE_NUMBER ||
	    value.number < 0)
		return false;
	*ret_count = (uint64_t)value.number;
	return true;
}

bool
probe_call(struct probed *of, const char *function, uint64_t number,
	   int64_t *ret_value)
{
	struct expr argument = { .kind = EXPR_NUMBER,
				 .number = (int64_t)number };
	const struct expr call = { .kind = EXPR_CALL,
				   .name = function,
				   .left = &argument };
	struct expr_value value;

	if (!probe_value(of, &call, &value) || value.kind != EXPR_VALUE_NUMBER)
		return false;
	*ret_value = value.number;
	return true;
}

bool
probe_ends(struct probed *of)
{
	const struct probe *probe = of->probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		if (probe->acts[i].kind == ACT_END &&
		    probe_holds(of, &probe->acts[i]))
			return true;
	}
	return false;
}

/* ---- at the entry
 * ---------------------------------------------------------------
 */

static void
prepare_text(struct probed *of, const struct act *act, size_t most)
{
	const struct argument *argument =
		act->name ? probe_argument(of->call->event.arguments, act)
			  : NULL;
	struct value_chars text;

	if (argument && !item_text(&argument->value, most, &text))
		return; /* the value is not a text, or cannot be read */
}

void
probe_prepare(struct probed *of, size_t most)
{
	const struct probe *probe = of->probing->probe;
	struct arguments *arguments = of->call->event.arguments;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (act->kind == ACT_KEEP)
			prepare_text(of, act, most);
		for (unsigned k = 0; k < act->key_count; k++)
			arguments_keep_for(arguments, act->keys[k]);
		if (act->condition)
			arguments_keep_for(arguments, act->condition);
	}
}

/* ---- keys
 * ------------------------------------------------------------------------
 */

void
probe_key_begin(const struct program *program, struct str *key)
{
	str_addf(key, "%p/", (const void *)program);
}

bool
probe_key(struct probed *of, const struct act *act, struct str *key)
{
	probe_key_begin(of->program, key);
	str_addf(key, "%s/", act->table);
	for (unsigned i = 0; i < act->key_count; i++) {
		struct expr_value value;

		if (!probe_value(of, act->keys[i], &value))
			return false;
		if (value.kind == EXPR_VALUE_TEXT)
			str_addf(key, "\"%s/", value.text);
		else
			str_addf(key, "%llx/",
				 (unsigned long long)value.number);
	}
	return true;
}

bool
probe_statement(struct probed *of, const struct act *act,
		struct statement *ret_statement)
{
	const struct expr *key = act->keys[act->key_count - 1];
	struct probe_scope scope;
	struct expr_value shown;
	struct value value;

	*ret_statement = (struct statement){ .arena = &of->call->arena };
	probe_scope_init(&scope, of);
	if (key->kind == EXPR_CALL || !probe_value(of, key, &shown) ||
	    scope_find(&scope.arguments, key, &value) < 0)
		return false;
	if (shown.kind == EXPR_VALUE_TEXT)
		ret_statement->name = shown.text;
	if (value_pointer(&value, &ret_statement->handle) < 0)
		ret_statement->handle = 0;
	return ret_statement->name || ret_statement->handle;
}

/* ---- texts
 * -----------------------------------------------------------------------
 */

/* A text without a lens of its own is SQL, because SQL is what most handles are
 * for. */
static enum lens_kind
text_lens(struct probed *of, const struct expr *expr)
{
	const struct lens *lens;
	struct probe_scope scope;
	struct value value;

	if (expr->kind == EXPR_TEXT)
		return LENS_STRING;
	probe_scope_init(&scope, of);
	if (expr->kind == EXPR_CALL ||
	    scope_find(&scope.arguments, expr, &value) < 0)
		return LENS_SQL;
	for (lens = value.lens; lens && !lens_is_text(lens->kind);)
		lens = lens->under;
	return lens ? lens->kind : LENS_SQL;
}

bool
probe_text(struct probed *of, const struct expr *expr,
	   struct handle_text *ret_text)
{
	struct expr_value value;

	if (!probe_value(of, expr, &value) || value.kind != EXPR_VALUE_TEXT ||
	    !*value.text)
		return false;
	*ret_text = (struct handle_text){ .bytes = value.text,
					  .length = strlen(value.text),
					  .lens = text_lens(of, expr) };
	return true;
}

void
probe_text_value(struct probed *of, const struct handle_text *text,
		 struct value *ret_value)
{
	struct arena *arena = &of->call->arena;
	struct lens *lens = arena_zalloc(arena, sizeof(*lens));
	struct expr *length = arena_zalloc(arena, sizeof(*length));
	struct type *of_char = type_int(arena, 1, true), *type;
	const void *bytes = NULL;

	length->kind = EXPR_NUMBER;
	length->number = text->bytes ? (int64_t)text->length : 1;
	lens->kind = text->bytes ? text->lens : LENS_SQL;
	of_char->is_char = true;
	of_char->name = "char";
	type = type_array(arena, of_char, length);
	type->lens = lens;
	if (text->bytes)
		bytes = arena_strndup(arena, text->bytes, text->length);
	value_of_bytes(ret_value, type, bytes, text->length, NULL,
		       of->call->event.arguments);
}

/* ---- what became of the call
 * -------------------------------------------------------
 */

const struct value *
probe_copy_value(struct arena *arena, const struct value *value)
{
	struct value *copy;

	if (!value)
		return NULL;
	copy = arena_copy(arena, value, sizeof(*value));
	copy->parent = NULL;
	copy->arguments = NULL;
	copy->capture = NULL;
	if (value->bytes)
		copy->bytes = arena_copy(arena, value->bytes, value->room);
	return copy;
}

/* Bytes that are not in xtrace's memory yet are read now. */
static const struct value *
probe_bring_value(struct arena *arena, const struct value *value)
{
	size_t size = type_size(value->type);
	struct value here = *value;
	void *bytes = arena_zalloc(arena, size + 1);

	if (!value->bytes && value_read(value, 0, bytes, size) == 0) {
		here.bytes = bytes;
		here.room = size;
	}
	return probe_copy_value(arena, &here);
}

static void
take_result(struct probed *of, const struct act *act, struct arena *arena,
	    struct event_outcome *outcome)
{
	const struct expr *expr = act->values[0];
	struct probe_scope scope;
	struct value value;

	if (expr->kind == EXPR_RETVAL) {
		outcome->result =
			probe_copy_value(arena, of->call->event.result);
		return;
	}
	probe_scope_init(&scope, of);
	if (expr->kind == EXPR_CALL
		    ? call_value(of, expr, &value) == 0
		    : scope_find(&scope.arguments, expr, &value) == 0)
		outcome->result = probe_bring_value(arena, &value);
}

static const char *
take_text(struct arena *arena, const char *text)
{
	size_t length = strnlen(text, MESSAGE_MOST);

	while (length > 0 &&
	       (text[length - 1] == '\n' || text[length - 1] == ' '))
		length--;
	return arena_strndup(arena, text, length);
}

/*
 * Of the act's values, a number is the error's number. The last text is the
 * error's message, and a text before the last one is its state.
 */
static void
take_error(struct probed *of, const struct act *act, struct arena *arena,
	   struct event_outcome *outcome)
{
	outcome->failed = true;
	for (unsigned i = 0; i < act->value_count; i++) {
		struct expr_value value;

		if (!probe_value(of, act->values[i], &value))
			continue;
		if (value.kind == EXPR_VALUE_NUMBER &&
		    act->values[i]->kind != EXPR_TEXT) {
			/* A NULL text counts as the number 0. */
			if (value.is_unsigned && value.number == 0)
				continue;
			outcome->has_code = true;
			outcome->code = value.number;
		} else if (value.kind == EXPR_VALUE_TEXT) {
			outcome->state = outcome->message;
			outcome->message = take_text(arena, value.text);
		}
	}
}

/* The last word of a command's tag: "INSERT 0 5", "COPY 1000". */
static bool
tag_rows(const char *tag, int64_t *ret_rows)
{
	const char *number = strrchr(tag, ' ');
	char *end;

	if (!number || number[1] < '0' || number[1] > '9')
		return false;
	*ret_rows = strtoll(number + 1, &end, 10);
	return *end == '\0';
}

static bool
read_rows(struct probed *of, const struct act *act, int64_t *ret_rows)
{
	struct expr_value value;

	if (!probe_value(of, act->values[0], &value))
		return false;
	if (value.kind == EXPR_VALUE_TEXT)
		return tag_rows(value.text, ret_rows);
	*ret_rows = value.number;
	return value.kind == EXPR_VALUE_NUMBER && value.number >= 0;
}

static void
add_rows(struct probed *of, const struct act *act,
	 struct event_outcome *outcome)
{
	int64_t rows;

	if (outcome->rows_lost || !read_rows(of, act, &rows))
		return;
	outcome->has_rows = true;
	outcome->rows += rows;
}

struct arguments *
probe_arguments_now(struct probed *of)
{
	const struct arguments *entry = of->call->event.arguments;
	struct arena *arena = &of->call->arena;
	struct arguments *now = arena_copy(arena, entry, sizeof(*entry));

	now->at = arena_copy(arena, entry->at, entry->count * sizeof(*now->at));
	for (size_t i = 0; i < now->count; i++)
		now->at[i].value.capture = of->memory;
	return now;
}

/* Stores the connection and the state of its transaction. The act's first value
 * is the connection. Its condition says whether the second value, the state, is
 * known. */
static void
take_transaction(struct probed *of, const struct act *act,
		 struct event_outcome *outcome)
{
	static const enum transaction_state states[] = { TRANSACTION_NONE,
							 TRANSACTION_OPEN,
							 TRANSACTION_FAILED };
	struct arguments *entry = of->call->event.arguments;
	uint64_t state;

	of->call->event.arguments = probe_arguments_now(of);
	if (probe_count(of, act->values[0], &outcome->connection) &&
	    probe_holds(of, act) && probe_count(of, act->values[1], &state) &&
	    state < array_size(states))
		outcome->transaction = states[state];
	of->call->event.arguments = entry;
}

void
probe_outcome(struct probed *of, struct arena *arena,
	      struct event_outcome *outcome)
{
	const struct probe *probe = of->probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (act->kind == ACT_TRANSACTION && of->session->transactions)
			take_transaction(of, act, outcome);
		if (act->kind < ACT_RESULT || act->kind > ACT_ROWS ||
		    !probe_holds(of, act))
			continue;
		if (act->kind == ACT_RESULT)
			take_result(of, act, arena, outcome);
		else if (act->kind == ACT_ROWS)
			add_rows(of, act, outcome);
		else if (!outcome->failed)
			take_error(of, act, arena, outcome);
	}
}

/* Several parameters of one name may describe the same argument, each if its
 * condition holds. */
struct argument *
probe_argument(struct arguments *arguments, const struct act *act)
{
	for (size_t i = 0; i < arguments->count; i++) {
		struct argument *argument = &arguments->at[i];
		bool recalled = argument->param == SIZE_MAX;

		if (argument->param == act->param && !recalled)
			return argument;
		if (argument->name && recalled == (act->param == SIZE_MAX) &&
		    !strcmp(argument->name, act->name))
			return argument;
	}
	return NULL;
}
