/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a call that is shown by a probe, numbers and names stay, for example the
 * status of a result, or a count. The arguments of other calls may contain
 * anything, for example a bound value. Therefore only SQL is shown of them.
 *
 * The fingerprint is made anew at each event of a call. At the entry it is made
 * so that the capture keeps the text. At the return it is made again, because
 * redact_end() has freed the fingerprint of the entry.
 */
#include "output/redact.h"

#include "base/str.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "output/query.h"
#include "values/fetch.h"
#include "values/fingerprint.h"
#include "values/redact.h"
#include "values/visit.h"

#include <string.h>

#define TEXT_MOST ((size_t)1 << 24)

static enum sql_dialect
dialect_of(const struct event_call *call)
{
	static const struct {
		const char *system;
		enum sql_dialect dialect;
	} rows[] = { { "mysql", SQL_MYSQL },
		     { "postgresql", SQL_POSTGRES },
		     { "sqlite", SQL_SQLITE } };
	const char *system = query_system(call->name);

	for (size_t i = 0; system && i < array_size(rows); i++) {
		if (!strcmp(system, rows[i].system))
			return rows[i].dialect;
	}
	return SQL_UNKNOWN;
}

/* Makes a value with the same type and lens, of which nothing can be read. */
static struct value
unread(const struct value *value)
{
	return (struct value){ .type = value->type, .lens = value->lens };
}

/* Is the value a number, the name of a number, or an address that is not
 * followed? Such a value contains no text. */
static bool
is_plain(const struct value *value)
{
	const struct type *type = value->type;

	if (value->items || (value->lens && lens_is_text(value->lens->kind)))
		return false;
	return (type->kind == TYPE_INT && !type->is_char) ||
	       type->kind == TYPE_FLOAT ||
	       lens_of_kind(value->lens, LENS_ADDRESS);
}

/* Makes `value` an array of characters with this text. If the text is cut, the
 * type of the array is longer than its bytes. */
static void
text_value(struct value *value, struct arena *arena, const struct str *text,
	   bool cut)
{
	static const struct lens sql = { .kind = LENS_SQL };
	struct expr *length = arena_zalloc(arena, sizeof(*length));
	struct type *of_char = type_int(arena, 1, true), *type;

	length->kind = EXPR_NUMBER;
	length->number = (int64_t)text->length + cut;
	of_char->is_char = true;
	of_char->name = "char";
	type = type_array(arena, of_char, length);
	type->lens = &sql;
	value_of_bytes(value, type, arena_copy(arena, text->text, text->length),
		       text->length, NULL, NULL);
}

/* Adds the fingerprint of a query. If the argument is not SQL but a command or
 * a path, adds its name in tables. False if a part is left out. */
static bool
add_name(struct str *to, const struct event_call *call,
	 const struct argument *sql, const struct value_chars *chars)
{
	struct str plain;
	bool whole;

	if (sql->folded) {
		str_add(to, sql->folded);
		return !chars->cut;
	}
	str_init(&plain);
	whole = redact_sql(&plain, chars->bytes, chars->length,
			   dialect_of(call));
	fingerprint_add(to, str_text(&plain), plain.length);
	str_release(&plain);
	return whole && !chars->cut;
}

bool
redact_add_name(struct str *to, const struct event_call *call,
		const struct argument *sql)
{
	struct value_chars chars;

	if (value_text(argument_value(sql), TEXT_MOST, &chars) < 0)
		return false;
	if (!add_name(to, call, sql, &chars) && !chars.cut)
		str_add(to, "...");
	return true;
}

static void
redact_query(struct redaction *redaction, struct argument *argument)
{
	struct value_chars chars;
	struct str name;
	bool whole;

	if (value_text(argument_value(argument), TEXT_MOST, &chars) < 0) {
		argument->value = unread(&argument->value);
		return;
	}
	str_init(&name);
	whole = add_name(&name, redaction->call, argument, &chars);
	text_value(&argument->value, &redaction->arena, &name, !whole);
	argument->folded = arena_strdup(&redaction->arena, str_text(&name));
	str_release(&name);
}

static void
redact_argument(struct redaction *redaction, struct argument *argument)
{
	const struct event_call *call = redaction->call;
	const struct value *value = argument_value(argument);

	if (argument_hidden(argument))
		return;
	if (lens_of_kind(value->lens, LENS_SQL))
		redact_query(redaction, argument);
	else if (call->bare && (call->connects || is_plain(value)))
		return;
	else
		argument->value = unread(&argument->value);
	argument->after = NULL;
}

static void
redact_arguments(struct redaction *redaction, struct event_call *call)
{
	const struct arguments *from = call->arguments;
	struct arena *arena = &redaction->arena;
	struct arguments *to = arena_copy(arena, from, sizeof(*from));

	to->at = arena_copy(arena, from->at, from->count * sizeof(*from->at));
	for (size_t i = 0; i < to->count; i++)
		redact_argument(redaction, &to->at[i]);
	call->arguments = to;
}

static const struct value *
redact_result(struct redaction *redaction, const struct event_call *call,
	      const struct value *result)
{
	struct value value;

	if (value_hidden(result) || (call->bare && is_plain(result)))
		return result;
	value = unread(result);
	return arena_copy(&redaction->arena, &value, sizeof(value));
}

static void
redact_outcome(struct redaction *redaction, struct event_call *call)
{
	struct event_outcome *outcome =
		arena_copy(&redaction->arena, call->outcome, sizeof(*outcome));

	outcome->message = NULL;
	if (outcome->result)
		outcome->result =
			redact_result(redaction, call, outcome->result);
	call->outcome = outcome;
}

void
redact_begin(struct redaction *redaction, struct event_call *call)
{
	redaction->call = call;
	redaction->arguments = call->arguments;
	redaction->result = call->result;
	redaction->outcome = call->outcome;
	if (call->arguments && call->arguments->count > 0)
		redact_arguments(redaction, call);
	if (call->result)
		call->result = redact_result(redaction, call, call->result);
	if (call->outcome)
		redact_outcome(redaction, call);
}

void
redact_end(struct redaction *redaction)
{
	struct event_call *call = redaction->call;

	call->arguments = redaction->arguments;
	call->result = redaction->result;
	call->outcome = redaction->outcome;
	arena_clear(&redaction->arena);
}
