/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What meters do for a function with a probe is found in the probe's acts. A
 * meter knows only integers of a query: its handle, its time, and the result of
 * each call. So conditions are replaced by bounds of the result, which hold for
 * each result with which the query continues, and perhaps for others: a query
 * that has ended may count as open, but not the other way round.
 *
 * Functions that keep or forget something stay traps, as do functions that find
 * a query by something that is neither an argument nor linked with one
 * (metering_links.c).
 */
#include "tracer/report/metering_parts.h"

#include "arch/code.h"
#include "conf/model/bounds.h"
#include "conf/model/lens.h"
#include "conf/model/probe.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "output/tee.h"
#include "symbols/symtab.h"
#include "tracer/plan/sets.h"
#include "tracer/report/metering.h"
#include "values/abi.h"
#include "values/scope.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

/* How many parameters of a function are looked at. */
enum { PARAMS_MOST = 16, IN_MEMORY = 6 };

bool
metering_takes_queries(const struct session *session)
{
	const struct options *options = session->options;

	return session->sets && session->wants.least && !session->condition &&
	       !session->transactions && !options->bind &&
	       options->in_flight == OPTIONS_IN_FLIGHT &&
	       !options->request_frame && options->outcome == OUTCOME_ANY &&
	       !sets_connects(session->sets) && !tee_draws(session->tee);
}

/* ---- what a meter does for a function -------------------------------------*/

/* The acts of a probe that matter to meters. */
struct query_acts {
	const struct act *begin, *answered, *end;
	bool shows;
	size_t handle; /* the parameter that is the handle; SIZE_MAX: none */
};

/* The parameter that is the key of the act's cell, or SIZE_MAX. */
static size_t
key_of(const struct act *act)
{
	const struct expr *key = act->keys[0];

	if (act->key_count != 1 || key->kind != EXPR_ARG)
		return SIZE_MAX;
	return (size_t)key->number - 1;
}

/* Adds an act that finds the query by its handle. False if the act has no
 * handle, or another one than the probe's other acts. */
static bool
add_handle(struct query_acts *acts, const struct act *act)
{
	size_t key = key_of(act);

	if (key == SIZE_MAX ||
	    (acts->handle != SIZE_MAX && acts->handle != key))
		return false;
	acts->handle = key;
	if (act->kind == ACT_BEGIN)
		acts->begin = act;
	else if (act->kind == ACT_ANSWERED)
		acts->answered = act;
	else
		acts->end = act;
	return true;
}

/* Returns NULL, or why meters cannot do what the probe wants. */
static const char *
find_acts(const struct probe *probe, struct query_acts *ret_acts)
{
	*ret_acts = (struct query_acts){ .handle = SIZE_MAX };
	if (probe->php || probe->symbol)
		return "it is found through a table of functions";
	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		switch (act->kind) {
		case ACT_KEEP:
		case ACT_FORGET:
			return "it keeps or forgets something";
		case ACT_LINK:
			if (!metering_may_link(probe))
				return "it links its result with something";
			break;
		case ACT_SHOW:
			if (act->condition || act->on_error)
				return "it is not always shown";
			ret_acts->shows = true;
			break;
		case ACT_BEGIN:
		case ACT_ANSWERED:
		case ACT_END:
			if (!add_handle(ret_acts, act))
				return "its query has no handle";
			break;
		default:
			break;
		}
	}
	if (!ret_acts->shows && !ret_acts->end && !ret_acts->answered)
		return "it is no part of a query";
	return NULL;
}

/* Stores the registers of the parameters: IN_MEMORY if a parameter is in
 * none. */
static void
find_registers(const struct proto *proto, unsigned registers[PARAMS_MOST])
{
	struct abi_cursor cursor;

	abi_begin(&cursor, arch_of_host(), proto->returns);
	for (size_t i = 0; i < PARAMS_MOST; i++) {
		struct abi_place place;

		registers[i] = IN_MEMORY;
		if (i >= proto->count)
			continue;
		abi_next(&cursor, proto->params[i].type, &place);
		if (!place.in_memory && place.count == 1 &&
		    place.parts[0].bank == ABI_INTEGER)
			registers[i] = place.parts[0].number;
	}
}

/* Can what is shown of the call be kept by a meter? */
static bool
keeps_shown(const struct probe *probe, const struct proto *proto,
	    const unsigned registers[PARAMS_MOST])
{
	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];

		if (act->kind != ACT_SHOW || act->param == SIZE_MAX)
			continue;
		if (act->param >= proto->count ||
		    registers[act->param] == IN_MEMORY ||
		    (proto->params[act->param].type->kind != TYPE_INT &&
		     !metering_is_text(&proto->params[act->param])))
			return false;
	}
	for (size_t i = 0; i < proto->count; i++)
		if (metering_is_text(&proto->params[i]) &&
		    registers[i] == IN_MEMORY)
			return false;
	return true;
}

struct result_scope {
	struct bounds_scope bounds;
	const struct program *program;
	const struct tracepoint *tracepoint;
	/* The accessor of the result that is an operand, and the offset that it
	 * reads, or NULL. */
	const char *accessor;
	uint64_t offset;
};

/* To find out what an accessor reads, xtrace interprets the accessor's code for
 * an object at the address OBJECT, which does not exist. A read of 32 bits
 * within this object yields OBJECT_NUMBER. All other memory is the
 * program's. */
#define OBJECT UINT64_C(0x7effdead0000)
#define OBJECT_SIZE 4096u
#define OBJECT_NUMBER 0x51u

struct object_reader {
	struct reader reader;
	struct reader *memory;
	unsigned reads;
	uint64_t offset;
};

static int
read_object(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct object_reader *of =
		container_of(reader, struct object_reader, reader);
	const uint32_t number = OBJECT_NUMBER;

	if (from < OBJECT || from - OBJECT > OBJECT_SIZE)
		return reader_read(of->memory, from, to, length);
	if (length != sizeof(number))
		return -EFAULT;
	of->reads++;
	of->offset = from - OBJECT;
	memcpy(to, &number, sizeof(number));
	return 0;
}

/* Does the accessor return the 32 bits at an offset of its object? */
static bool
find_offset(struct result_scope *scope, const char *name)
{
	const struct program *program = scope->program;
	const struct module *module =
		modmap_covering(&program->modules, scope->tracepoint->address);
	struct object_reader of = { .reader = { .read = read_object },
				    .memory = program_memory(program) };
	const uint64_t object = OBJECT;
	const struct symbol *symbol;
	uint64_t result;

	symbol = module ? symtab_find(module->image, SYMTAB_DYNAMIC, name)
			: NULL;
	if (!symbol || symbol->kind != SYMBOL_FUNCTION ||
	    program->space->arch->code->accessor(&of.reader,
						 module->bias + symbol->address,
						 &object, 1, &result) < 0 ||
	    of.reads != 1 || (uint32_t)result != OBJECT_NUMBER)
		return false;
	scope->accessor = name;
	scope->offset = of.offset;
	return true;
}

/* Is the leaf a number that an accessor reads from the result? */
static enum bounds_leaf
accessor_leaf(struct result_scope *scope, const struct expr *leaf)
{
	if (leaf->right || leaf->left->kind != EXPR_RETVAL)
		return BOUNDS_UNKNOWN;
	if (scope->accessor ? strcmp(scope->accessor, leaf->name) != 0
			    : !find_offset(scope, leaf->name))
		return BOUNDS_UNKNOWN;
	scope->bounds.types[0] = (struct bounds_type){ 32, true };
	return BOUNDS_OPERAND;
}

static enum bounds_leaf
result_leaf(struct bounds_scope *scope, const struct expr *leaf,
	    unsigned *ret_operand, struct expr_value *ret_constant)
{
	struct result_scope *of =
		container_of(scope, struct result_scope, bounds);
	const struct proto *proto = of->tracepoint->proto;
	const struct type *type = proto->returns;

	*ret_operand = 0;
	if (leaf->kind == EXPR_NAME &&
	    scope_constant(proto, leaf->name, ret_constant))
		return BOUNDS_CONSTANT;
	if (leaf->kind == EXPR_CALL)
		return accessor_leaf(of, leaf);
	if (leaf->kind != EXPR_RETVAL || of->accessor)
		return BOUNDS_UNKNOWN;
	if (type->kind == TYPE_POINTER && !type->lens)
		scope->types[0] = (struct bounds_type){ 64, false };
	else if (type->kind == TYPE_INT && !type->is_big_endian &&
		 type->bytes <= 8)
		scope->types[0] = (struct bounds_type){ 8u * type->bytes,
							type->is_signed };
	else
		return BOUNDS_UNKNOWN;
	return BOUNDS_OPERAND;
}

/* Stores with which results the query may continue. */
static void
set_results(const struct program *program, const struct tracepoint *tracepoint,
	    const struct query_acts *acts, struct meter_query *query)
{
	struct result_scope scope = { .bounds = { .leaf = result_leaf },
				      .program = program,
				      .tracepoint = tracepoint };
	const struct expr ended = {
		.kind = EXPR_NOT,
		.left = acts->end && acts->end->condition
				? (struct expr *)acts->end->condition
				: NULL
	};
	const struct expr *condition = ended.left ? &ended : NULL;
	struct bounds bounds;

	query->most = UINT64_MAX;
	if (acts->end && !acts->end->condition)
		query->next = METER_CELL_IDLE;
	if (!acts->end && acts->begin)
		condition = acts->begin->condition;
	if (!condition)
		return;
	for (unsigned i = 0; i < BOUNDS_OPERANDS; i++)
		scope.bounds.types[i] = (struct bounds_type){ 64, true };
	bounds_of(condition, &scope.bounds, &bounds);
	if (bounds.never || arc_is_full(&scope.bounds.types[0], bounds.of[0]))
		return;
	query->low = bounds.of[0].low;
	query->shift = 64 - scope.bounds.types[0].bits;
	query->most = bounds.of[0].most << query->shift;
	query->leads = scope.accessor != NULL;
	query->offset = scope.offset;
}

/* Does a call that was not answered end the query, so that it does not matter
 * that it counts as answered? `answered if !retval; end if retval || ...` */
static bool
fails_without_answer(const struct query_acts *acts)
{
	const struct expr *condition = acts->answered->condition;
	const struct expr *end = acts->end ? acts->end->condition : NULL;

	return condition->kind == EXPR_NOT &&
	       condition->left->kind == EXPR_RETVAL && end &&
	       end->kind == EXPR_OR && end->left->kind == EXPR_RETVAL;
}

/* Once the call has returned, is the time of the query the sum of the times of
 * its calls? */
static bool
is_answered(const struct query_acts *acts)
{
	if (acts->begin && acts->begin->inside)
		return true;
	return acts->answered &&
	       (!acts->answered->condition || fails_without_answer(acts));
}

static void
set_acts(struct meter_query *query, const struct query_acts *acts)
{
	query->idle = query->pending = METER_ACT_BEGIN;
	query->next = METER_CELL_IDLE;
	if (acts->begin) {
		query->pending = acts->begin->inside ? METER_ACT_JOIN
						     : METER_ACT_BEGIN_NEXT;
		query->next = is_answered(acts) ? METER_CELL_ANSWERED
						: METER_CELL_ASKED;
	} else if (acts->handle != SIZE_MAX) {
		query->idle = METER_ACT_PASS;
		query->pending = METER_ACT_JOIN;
		query->next = is_answered(acts) ? METER_CELL_ANSWERED
						: METER_CELL_SAME;
	}
}

static void
set_link(const struct program *program, const struct tracepoint *tracepoint,
	 const struct query_acts *acts, struct meter_query *query)
{
	const struct act *act = acts->begin ? acts->begin
				: acts->end ? acts->end
					    : acts->answered;
	uint64_t link;

	if (!act || !metering_links(program, tracepoint, act, &link))
		return;
	query->linked = true;
	query->link = link;
}

static uint64_t
offset_of_handle(const struct query_acts *acts,
		 const unsigned registers[PARAMS_MOST])
{
	if (acts->handle == SIZE_MAX)
		return HANDLE_OF_THREAD;
	return METER_KEPT +
	       offsetof(struct meter_kept, arguments[registers[acts->handle]]);
}

const char *
metering_query(const struct session *session, const struct program *program,
	       const struct tracepoint *tracepoint,
	       struct meter_query *ret_query)
{
	const struct proto *proto = tracepoint->proto;
	struct meter_select texts = { 0 };
	unsigned registers[PARAMS_MOST];
	struct query_acts acts;
	const char *why = find_acts(tracepoint->probe, &acts);

	*ret_query = (struct meter_query){ 0 };
	if (why)
		return why;
	if (!tracepoint->proto_known || !proto)
		return "its prototype is not known";
	if (proto->varargs || proto->count > PARAMS_MOST)
		return "it has too many arguments";
	find_registers(proto, registers);
	if (acts.handle != SIZE_MAX && (acts.handle >= proto->count ||
					registers[acts.handle] == IN_MEMORY))
		return "its handle is in no register";
	if (acts.shows &&
	    (!keeps_shown(tracepoint->probe, proto, registers) ||
	     !metering_find_texts(session, proto, registers, &texts)))
		return "its arguments must be read at the entry";
	memcpy(ret_query->texts, texts.texts, sizeof(texts.texts));
	ret_query->least =
		metering_ticks(session, program, session->wants.least);
	ret_query->handle = offset_of_handle(&acts, registers);
	set_link(program, tracepoint, &acts, ret_query);
	set_acts(ret_query, &acts);
	set_results(program, tracepoint, &acts, ret_query);
	return ret_query->least ? NULL : "no query can be left out";
}
