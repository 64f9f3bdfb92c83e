/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A probe may have many places, because the compiler inlines and copies
 * functions. Each is a tracepoint with operands of its own.
 *
 * An operand with a symbol gets the symbol's address here, so that it needs
 * only registers and memory at a hit.
 */
#include "tracer/plan/plan_sdt.h"

#include "arch/operand.h"
#include "base/log.h"
#include "conf/filter/sdt_filter.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "symbols/sdt.h"
#include "symbols/symtab.h"
#include "tracer/model/say.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/ruby_core.h"

#include <string.h>

/* ---- prototypes --------------------------------------------------------- */

static const struct lens guess = { .kind = LENS_GUESS };

/* The type of an argument of which only the note is known. A word of 8 bytes
 * may be a pointer. */
static const struct type *
type_of_operand(const struct operand *operand, bool listed)
{
	static const char *const integers[][2] = {
		[1] = { "uint8_t", "int8_t" },
		[2] = { "uint16_t", "int16_t" },
		[4] = { "uint", "int" },
	};
	static const struct type words[] = {
		{ .kind = TYPE_INT, .bytes = 8, .lens = &guess },
		{ .kind = TYPE_INT,
		  .bytes = 8,
		  .is_signed = true,
		  .lens = &guess },
	};

	if (operand->real)
		return type_builtin(operand->bytes == 4 ? "float" : "double");
	if (operand->bytes == 8 && listed)
		return type_builtin(operand->is_signed ? "long" : "ulong");
	if (operand->bytes == 8)
		return &words[operand->is_signed];
	return type_builtin(integers[operand->bytes][operand->is_signed]);
}

/* Adds the address of the operand's symbol. Without it, the operand is
 * unknown. */
static void
resolve(const struct module *module, struct operand *operand)
{
	cleanup(freep) char *name = NULL;
	const struct symbol *symbol;

	if (!operand->symbol)
		return;
	name = xstrndup(operand->symbol, operand->symbol_length);
	symbol = symtab_find(module->image, SYMTAB_DYNAMIC, name);
	if (!symbol)
		symbol = symtab_find(module->image, SYMTAB_ALL, name);
	if (symbol && symbol->kind != SYMBOL_TLS)
		operand->number += (int64_t)(module->bias + symbol->address);
	else
		operand->bytes = 0;
	operand->symbol = NULL;
}

static size_t
count_words(const char *text)
{
	size_t count = 0;

	while (*(text += strspn(text, " \t"))) {
		count++;
		text += strcspn(text, " \t");
	}
	return count;
}

const struct proto *
sdt_proto(struct prototypes *prototypes, struct arena *arena,
	  const struct module *module, const struct sdt *sdt,
	  const struct operand **ret_operands)
{
	const struct proto *typed =
		prototypes_find_sdt(prototypes, sdt->provider, sdt->name);
	struct proto *proto = arena_zalloc(arena, sizeof(*proto));
	const char *text = sdt->arguments;
	size_t count = count_words(text);
	struct param *params = arena_zalloc(arena, count * sizeof(*params));
	struct operand *operands =
		arena_zalloc(arena, count * sizeof(*operands));

	proto->name = arena_printf(arena, "%s:%s", sdt->provider, sdt->name);
	proto->returns = type_builtin("void");
	proto->format = -1;
	proto->params = params;
	proto->count = count;
	for (size_t i = 0; i < count; i++) {
		int r = operand_next(image_arch(module->image), &text,
				     &operands[i]);

		if (operands[i].bytes == 0)
			operands[i].bytes = sizeof(uint64_t);
		params[i].type = type_of_operand(&operands[i], !ret_operands);
		if (typed && i < typed->count) {
			params[i].type = typed->params[i].type;
			params[i].name = typed->params[i].name;
		}
		if (r < 0)
			operands[i].bytes = 0;
		else if (ret_operands)
			resolve(module, &operands[i]);
	}
	if (ret_operands)
		*ret_operands = operands;
	return proto;
}

/* ---- tracepoints -------------------------------------------------------- */

static bool
is_chosen(const struct batch *batch, const struct sdt *sdt)
{
	const struct options *options = batch->program->session->options;
	bool chosen = false;

	/* Every filter is asked, because each notes what it matches. */
	for (size_t i = 0; i < options->sdts.count; i++)
		chosen |= sdt_filter_chooses(options->sdts.at[i], &batch->label,
					     sdt->provider, sdt->name);
	return chosen;
}

/*
 * CPython 3.11 reaches the probe function__entry in the frames of all functions
 * only while its eval loop traces (Python/ceval.c, DTRACE_FUNCTION_ENTRY). It
 * traces while the semaphore of the probe `line` is counted up. Otherwise only
 * generators reach function__entry.
 */
static addr_t
needed_semaphore(const struct sdts *sdts, const struct sdt *sdt)
{
	if (strcmp(sdt->provider, "python") != 0 ||
	    strcmp(sdt->name, "function__entry") != 0)
		return 0;
	for (size_t i = 0; i < sdts->list.count; i++) {
		const struct sdt *other = &sdts->list.at[i];

		if (!strcmp(other->provider, sdt->provider) &&
		    !strcmp(other->name, "line"))
			return other->semaphore;
	}
	return 0;
}

struct tracepoint *
plan_add_sdt(struct batch *batch, enum tracepoint_kind kind,
	     const struct sdts *sdts, const struct sdt *sdt)
{
	const struct module *module = batch->module;
	struct arena *arena = &batch->plan->arena;
	struct sdt_point *point = arena_zalloc(arena, sizeof(*point));
	const struct proto *proto =
		sdt_proto(batch->program->session->prototypes, arena, module,
			  sdt, &point->operands);
	struct tracepoint *tracepoint =
		tracepoint_new(batch, kind, proto->name, batch->label.label,
			       module->bias + sdt->address);
	addr_t needed = needed_semaphore(sdts, sdt);

	if (sdt->semaphore)
		point->semaphore = module->bias + sdt->semaphore;
	if (needed)
		point->needed = module->bias + needed;
	ruby_core_locate(batch->program, module, sdt, point);
	tracepoint->sdt = point;
	tracepoint->proto = proto;
	tracepoint->proto_known = true;
	batch_add(batch, tracepoint);
	return tracepoint;
}

void
plan_add_sdts(struct batch *batch)
{
	const struct sdts *sdts;

	if (!batch->program->session->options->sdts.count)
		return;
	sdts = image_sdts(batch->module->image);
	for (size_t i = 0; i < sdts->list.count; i++) {
		if (is_chosen(batch, &sdts->list.at[i]))
			plan_add_sdt(batch, TRACEPOINT_SDT, sdts,
				     &sdts->list.at[i]);
	}
}

/* ---- what matches nothing ----------------------------------------------- */

/* An interpreter has the probes of its provider only if it was built with them,
 * by the option `how`. `program` and `library` are the beginnings of the names
 * of its program and of its library. */
struct interpreter {
	const char *provider, *program, *library, *how;
};

static const struct interpreter interpreters[] = {
	{ "python", "python", "libpython", "--with-dtrace" },
	{ "ruby", "ruby", "libruby", "--enable-dtrace" },
	{ "php", "php", "libphp", "--enable-dtrace" },
	{ "perl", "perl", "libperl", "-Dusedtrace" },
};

static bool
begins(const char *label, const char *word)
{
	return !strncmp(label, word, strlen(word));
}

static bool
is_of(const struct module *module, const struct interpreter *interpreter)
{
	const char *label = image_label(module->image);

	return begins(label, interpreter->library) ||
	       (module->main && begins(label, interpreter->program));
}

/* A module that is the interpreter, or NULL. */
static const struct module *
interpreter_in(const struct session *session,
	       const struct interpreter *interpreter)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item)) {
		const struct modmap *map = &((struct program *)item)->modules;

		for (size_t i = 0; i < map->modules.count; i++) {
			if (is_of(map->modules.at[i], interpreter))
				return map->modules.at[i];
		}
	}
	return NULL;
}

/* The key of session->said. */
static char *
unbuilt(const char *provider)
{
	return xasprintf("unbuilt %s", provider);
}

bool
plan_say_unbuilt(struct session *session, const char *text,
		 const char *provider)
{
	for (size_t i = 0; i < array_size(interpreters); i++) {
		const struct interpreter *interpreter = &interpreters[i];
		cleanup(freep) char *key = NULL;
		const struct module *module;

		if (strcmp(provider, interpreter->provider) != 0)
			continue;
		module = interpreter_in(session, interpreter);
		if (!module)
			return false;
		say("%s: %s was built without probes (%s)", text,
		    image_label(module->image), interpreter->how);
		key = unbuilt(provider);
		strmap_put(&session->said, key, session);
		return true;
	}
	return false;
}

bool
plan_said_unbuilt(const struct session *session, const char *provider)
{
	cleanup(freep) char *key = unbuilt(provider);

	return strmap_get(&session->said, key) != NULL;
}

/* Calls tell() for each rule that has matched nothing. */
static void
visit(struct session *session,
      void (*tell)(struct session *session, const struct sdt_rule_seen *rule))
{
	const struct options *options = session->options;
	struct sdt_rule_seen rule;

	for (size_t i = 0; i < options->sdts.count; i++) {
		for (size_t n = 0;
		     sdt_filter_rule(options->sdts.at[i], n, &rule); n++) {
			if (!rule.matched)
				tell(session, &rule);
		}
	}
}

static void
tell_missing(struct session *session, const struct sdt_rule_seen *rule)
{
	if (rule->provider && !rule->provider_seen &&
	    plan_say_unbuilt(session, rule->text, rule->provider))
		return;
	if (rule->provider && rule->provider_seen)
		say("%s: no such probe yet; %s has others (--list-probes lists "
		    "them)",
		    rule->text, rule->provider);
	else
		say("%s: not loaded yet; waiting for a library that has this "
		    "probe",
		    rule->text);
}

static void
tell_never(struct session *session, const struct sdt_rule_seen *rule)
{
	if (!rule->provider || !plan_said_unbuilt(session, rule->provider))
		say("%s: no module ever had this probe", rule->text);
}

void
plan_sdts_say_missing(struct session *session)
{
	visit(session, tell_missing);
}

void
plan_sdts_say_never(struct session *session)
{
	visit(session, tell_never);
}
