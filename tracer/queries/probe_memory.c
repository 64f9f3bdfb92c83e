/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A remembered text becomes an argument like any other: it is shown, and
 * filters and tables use it. If nothing is known under a handle, the argument
 * exists but cannot be read, and the handle is shown too.
 */
#include "tracer/queries/probe_memory.h"

#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "tracer/queries/probe_scope.h"
#include "tracer/report/statements.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "values/items.h"
#include "values/show.h"

#include <string.h>

/* How many elements of an array are kept. */
enum { ELEMENTS_MOST = 4096 };
/* After this many failures, the text of a statement is not searched any
 * more. */
enum { FAILURES_MOST = 8 };

/* ---- recalling ---- */

/* Adds an argument in front of the others; the call's arena holds its bytes. */
static void
add_argument(struct arguments *arguments, const char *name,
	     const struct value *value)
{
	size_t count = arguments->count;
	struct argument *at =
		arena_alloc(arguments->arena, (count + 1) * sizeof(*at));

	memcpy(at + 1, arguments->at, count * sizeof(*at));
	at[0] = (struct argument){
		.name = name,
		.param = SIZE_MAX,
		.when = PARAM_AT_ENTRY,
		.value = *value,
		.hidden = true,
	};
	arguments->at = at;
	arguments->count++;
}

/* Counts how often a text was not found. The count is the length of a text
 * under another key, which is forgotten together with the statement. */
static void
count_failure(struct handles *handles, const char *key, size_t before)
{
	static const char counted[FAILURES_MOST + 1] = "--------";
	const struct handle_text failures = { .bytes = counted,
					      .length = before + 1,
					      .lens = LENS_PLAIN };

	handles_keep(handles, key, &failures);
}

/* A statement that was prepared before xtrace attached: the driver of the
 * script may have its text, and the types of its parameters. */
static bool
find_statement(struct probed *of, const struct act *act, struct str *key,
	       bool types, struct statement_text *ret_found)
{
	struct handles *handles = &of->session->memory->handles;
	size_t own = key->length;
	struct statement statement;
	struct handle_text failures = { 0 };
	bool found = false;

	str_add(key, "failures/");
	if (!handles_recall(handles, str_text(key), &failures) ||
	    failures.length < FAILURES_MOST) {
		found = probe_statement(of, act, &statement) &&
			statements_text(of->program, of->regs, &statement,
					ret_found) &&
			(!types || ret_found->types);
		if (!found)
			count_failure(handles, str_text(key), failures.length);
	}
	str_cut(key, own);
	return found;
}

/* The text is kept as if the prepare had been seen. */
static bool
look_up(struct probed *of, const struct act *act, struct str *key,
	struct handle_text *ret_text)
{
	struct handles *handles = &of->session->memory->handles;
	struct statement_text found;

	if (!find_statement(of, act, key, false, &found))
		return false;
	*ret_text = (struct handle_text){ .bytes = found.bytes,
					  .length = found.length,
					  .lens = LENS_SQL,
					  .cut = found.whole > found.length };
	handles_keep(handles, str_text(key), ret_text);
	return true;
}

static bool
recall_from(struct probed *of, const struct act *act,
	    struct handle_text *ret_text)
{
	struct str key;
	bool found = false;

	if (!probe_holds(of, act))
		return false;
	if (!act->table)
		return probe_text(of, act->values[0], ret_text);
	str_init(&key);
	if (probe_key(of, act, &key))
		found = handles_recall(&of->session->memory->handles,
				       str_text(&key), ret_text) ||
			look_up(of, act, &key, ret_text);
	str_release(&key);
	return found && !ret_text->of;
}

/* Shows the handles under which nothing is known. */
static void
reveal_keys(const struct probed *of, const struct act *act)
{
	struct arguments *arguments = of->call->event.arguments;

	for (unsigned k = 0; k < act->key_count; k++) {
		const struct expr *key = act->keys[k];

		for (size_t i = 0; i < arguments->count; i++) {
			if (key->kind == EXPR_ARG &&
			    arguments->at[i].param == (size_t)key->number - 1)
				arguments->at[i].hidden = false;
		}
	}
}

/* Elements that were kept as bytes; the memory that they point to is read
 * now. */
static void
elements_value(struct probed *of, const struct handle_text *kept,
	       struct value *ret_value)
{
	struct arena *arena = &of->call->arena;
	struct expr *count = arena_zalloc(arena, sizeof(*count));

	count->kind = EXPR_NUMBER;
	count->number = (int64_t)(kept->length / type_size(kept->of));
	value_of_bytes(ret_value, type_array(arena, kept->of, count),
		       arena_copy(arena, kept->bytes, kept->length),
		       kept->length, of->memory, of->call->event.arguments);
}

/* Makes one value of values that were bound one by one. */
static void
texts_value(struct probed *of, const struct handle_texts *texts,
	    struct value *ret_value)
{
	struct arena *arena = &of->call->arena;
	struct value_item *items =
		arena_zalloc(arena, texts->all.count * sizeof(*items));

	for (size_t i = 0; i < texts->all.count; i++) {
		const struct handle_text *text = &texts->all.at[i];

		items[i] = (struct value_item){ text->lens == LENS_PLAIN,
						text->bytes, text->length,
						text->length + text->cut };
	}
	items_value(ret_value, arena, items, texts->all.count, false);
}

/* Looks up the types of a statement's parameters, if the act has the name that
 * sets use for them. */
static bool
look_up_types(struct probed *of, const struct act *act, struct str *key,
	      struct handle_text *ret_types)
{
	struct handles *handles = &of->session->memory->handles;
	struct statement_text found;

	if (strcmp(act->name, "types") != 0 ||
	    !find_statement(of, act, key, true, &found))
		return false;
	*ret_types = (struct handle_text){
		.bytes = (const char *)found.types,
		.length = found.type_count * sizeof(*found.types),
		.lens = LENS_PLAIN,
		.of = type_builtin("uint"),
	};
	handles_keep(handles, str_text(key), ret_types);
	return true;
}

/* Adds the values that were bound to a statement's parameters, if any were
 * kept. */
static void
gather(struct probed *of, const struct act *act)
{
	struct handles *handles = &of->session->memory->handles;
	struct arguments *arguments = of->call->event.arguments;
	struct handle_texts texts = { 0 };
	struct handle_text text;
	struct value value;
	struct str key;

	if (!of->session->options->bind)
		return;
	str_init(&key);
	if (probe_key(of, act, &key)) {
		handles_gather(handles, str_text(&key), &texts);
		if (texts.all.count > 0) {
			texts_value(of, &texts, &value);
			add_argument(arguments, act->name, &value);
		} else if ((handles_recall(handles, str_text(&key), &text) ||
			    look_up_types(of, act, &key, &text)) &&
			   text.of) {
			elements_value(of, &text, &value);
			add_argument(arguments, act->name, &value);
		}
	}
	vec_release(&texts.all);
	str_release(&key);
}

/* Several acts with one name make one argument. Its text is that of the first
 * act that finds a text. */
void
probe_recall(struct probed *of)
{
	const struct probe *probe = of->probing->probe;
	const char *known = NULL, *name = NULL;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		struct handle_text text = { 0 };
		struct value value;

		if (act->kind == ACT_GATHER)
			gather(of, act);
		if (act->kind != ACT_RECALL ||
		    (known && !strcmp(known, act->name)))
			continue;
		if (recall_from(of, act, &text)) {
			known = act->name;
		} else if (i + 1 < probe->count && act[1].kind == ACT_RECALL &&
			   !strcmp(act[1].name, act->name)) {
			continue;
		}
		name = act->name;
		probe_text_value(of, &text, &value);
		add_argument(of->call->event.arguments, name, &value);
		if (!text.bytes) {
			reveal_keys(of, act);
			of->probing->unknown = true;
		}
	}
}

/* ---- memory ---- */

/* A bound value that is not a text is kept as it would be shown. */
static void
keep_bound(struct probed *of, const struct argument *argument, const char *key)
{
	const struct look *look = &of->session->options->look;
	const struct show_look show = {
		.string_length = look->string_length,
		.array_length = look->array_length,
	};
	const struct value *value = argument_value(argument);
	struct handle_text kept = { .lens = LENS_PLAIN };
	struct value_chars text;
	struct str shown;
	addr_t address;

	str_init(&shown);
	if (item_text(value, look->string_length, &text)) {
		kept = (struct handle_text){ .bytes = text.bytes,
					     .length = text.length,
					     .lens = LENS_STRING,
					     .cut = text.cut };
	} else {
		if (value_pointer(value, &address) == 0 && address == 0)
			str_add(&shown, "NULL");
		else
			show_value(&shown, value, &show);
		kept.bytes = str_text(&shown);
		kept.length = shown.length;
	}
	handles_keep(&of->session->memory->handles, key, &kept);
	str_release(&shown);
}

/* Keeps the elements of the array to which the argument points: as many as the
 * act's first value says, but no more than are ever shown. */
static void
keep_elements(struct probed *of, const struct act *act,
	      const struct argument *argument, const char *key)
{
	const struct type *type = argument->value.type->to;
	size_t most = of->session->options->look.array_length;
	struct handle_text kept = { 0 };
	uint64_t count;
	addr_t address;
	char *bytes;

	if (type && type->kind == TYPE_ARRAY)
		type = type->to;
	kept.of = type;
	if (!type || type_size(type) == 0 || !of->memory ||
	    value_pointer(&argument->value, &address) < 0 ||
	    !probe_count(of, act->values[0], &count) || count == 0)
		return;
	if (most < ELEMENTS_MOST && count > most + 1)
		count = most + 1;
	if (count > ELEMENTS_MOST)
		count = ELEMENTS_MOST;
	kept.length = count * type_size(type);
	bytes = arena_alloc(&of->call->arena, kept.length);
	kept.bytes = bytes;
	if (capture_read(of->memory, address, bytes, kept.length) == 0)
		handles_keep(&of->session->memory->handles, key, &kept);
}

static void
keep(struct probed *of, const struct act *act, const char *key)
{
	struct argument *argument =
		act->name ? probe_argument(of->call->event.arguments, act)
			  : NULL;
	struct handle_text kept = { .lens = LENS_SQL };
	const struct lens *lens;
	struct value_chars text;

	if (act->values[0] && argument) {
		keep_elements(of, act, argument, key);
		return;
	}
	if (act->values[0]) {
		kept = (struct handle_text){
			.bytes = act->values[0]->name,
			.length = strlen(act->values[0]->name),
			.lens = LENS_PLAIN,
		};
		handles_keep(&of->session->memory->handles, key, &kept);
		return;
	}
	if (!argument)
		return;
	if (value_text(&argument->value, PROBE_TEXT_MOST, &text) < 0 ||
	    of->probing->probe->for_bind) {
		keep_bound(of, argument, key);
		return;
	}
	for (lens = argument->value.lens; lens && !lens_is_text(lens->kind);)
		lens = lens->under;
	if (lens)
		kept.lens = lens->kind;
	kept.bytes = text.bytes;
	kept.length = text.length;
	handles_keep(&of->session->memory->handles, key, &kept);
}

static void
forget(struct probed *of, const char *key, uint64_t now)
{
	struct memory *memory = of->session->memory;
	struct call_span *span;

	handles_forget_one(&memory->handles, key);
	handles_forget(&memory->handles, key);
	while ((span = spans_beginning(&memory->spans, key)))
		probes_tell_span(of->session, span,
				 span->answered ? CALL_RETURNED
						: CALL_UNFINISHED,
				 now);
}

void
probe_remember(struct probed *of, uint64_t now)
{
	const struct probe *probe = of->probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		struct str key;

		if (act->kind != ACT_KEEP && act->kind != ACT_FORGET)
			continue;
		if (!probe_holds(of, act))
			continue;
		str_init(&key);
		if (probe_key(of, act, &key)) {
			if (act->kind == ACT_KEEP)
				keep(of, act, str_text(&key));
			else
				forget(of, str_text(&key), now);
		}
		str_release(&key);
	}
}
