/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A query is a span of calls with one handle (tracer/queries/probe_spans.h), or
 * with objects that are linked with it.
 * Meters add the times of these calls to the handle's cell. If a cell's query
 * must be told, because it becomes slow or because its thread stops, xtrace
 * reconstructs from the cell the call that began the query. This call begins
 * and ends for xtrace now, with its original times and result. The object to
 * which the result leads may be freed by now, so it is not read.
 *
 * While xtrace follows a query itself, its handle's cell says so, and every
 * call with this handle stops.
 */
#include "tracer/report/metering_parts.h"

#include "agent/cells.h"
#include "base/clock.h"
#include "base/log.h"
#include "breakpoints/jumps.h"
#include "conf/model/expr.h"
#include "conf/model/probe.h"
#include "conf/model/proto.h"
#include "process/regs.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/metering.h"
#include "tracer/report/where.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* adopt() gives its call a stack pointer that is this many bytes lower than
 * that of the other calls, so that it is the innermost call. */
enum { BELOW = 16 };

/* ---- the event of a query -------------------------------------------------*/

static struct tracepoint *
function_of(const struct program *program, uint64_t offset)
{
	const struct metering *metering = program->metering;
	unsigned number = area_function(&metering->area, offset);

	return number < metering->functions.count
		       ? metering->functions.at[number]
		       : NULL;
}

/* Takes the texts out of a cell. */
static size_t
cell_texts(const struct meter_cell *cell, const struct meter_query *query,
	   struct metered_text *ret_texts)
{
	size_t count = 0;

	for (unsigned i = 0; i < METER_TEXTS; i++) {
		struct metered_text *to = &ret_texts[count];

		memcpy(to->room, cell->texts[i], sizeof(to->room));
		count += metering_text(&query->texts[i], &cell->kept, to);
	}
	return count;
}

/* xtrace follows a query of the handle now, or is about to. */
static void
perhaps_followed(struct metering *metering, uint64_t handle)
{
	const struct followed_handle new_one = { .handle = handle };

	for (size_t i = 0; i < metering->followed.count; i++)
		if (metering->followed.at[i].handle == handle)
			return;
	vec_push(&metering->followed, new_one);
}

/* The argument that is the handle, or an object that has it; 0: the query has
 * no handle. */
static uint64_t
kept_argument(const struct meter_kept *kept, const struct meter_query *query)
{
	uint64_t argument = 0;

	if (query->handle >= METER_KEPT)
		memcpy(&argument,
		       (const char *)kept + (query->handle - METER_KEPT),
		       sizeof(argument));
	return argument;
}

/* The handle that an object has; 0: it cannot be read. */
static uint64_t
linked_handle(const struct program *program, uint64_t object, uint64_t link)
{
	uint64_t handle;

	return object && space_read_raw(program->space, object + link, &handle,
					sizeof(handle)) == 0
		       ? handle
		       : 0;
}

static uint64_t
kept_handle(const struct program *program, const struct meter_kept *kept,
	    const struct meter_query *query)
{
	uint64_t argument = kept_argument(kept, query);

	return query->linked ? linked_handle(program, argument, query->link)
			     : argument;
}

static const struct meter_query *
query_of(const struct program *program, uint64_t offset)
{
	const struct metering *metering = program->metering;

	return &metering->queries.at[area_function(&metering->area, offset)];
}

/*
 * Notes the function whose call has returned last, and its argument that is the
 * handle or has it. If the call that began the query has not kept such an
 * argument, it is not known.
 */
static void
note_last(const struct program *program, const struct meter_cell *cell,
	  const struct meter_query *query, struct ended_inside *ended)
{
	struct tracepoint *last = function_of(program, cell->last);
	bool linked = last && query_of(program, cell->last)->linked;

	if (!last || (linked && !query->linked))
		return;
	ended->last = last;
	ended->last_result = (int64_t)cell->last_result;
	ended->handle = linked ? kept_argument(&cell->kept, query)
			       : kept_handle(program, &cell->kept, query);
}

/* The accessor of the result in the condition of the act that begins a
 * query. */
static const char *
find_accessor(const struct expr *expr)
{
	const char *name;

	if (!expr)
		return NULL;
	if (expr->kind == EXPR_CALL)
		return expr->left->kind == EXPR_RETVAL ? expr->name : NULL;
	name = find_accessor(expr->left);
	return name ? name : find_accessor(expr->right);
}

static const char *
accessor_of(const struct probe *probe)
{
	const struct act *begin = probe_act(probe, ACT_BEGIN);

	return begin ? find_accessor(begin->condition) : NULL;
}

static void
begin_before(struct hit *hit, uint64_t began, struct event_call *event)
{
	uint64_t ticks, clock;
	int64_t age;

	metering_now(hit->program->space->arch, &ticks, &clock);
	age = metering_ns(hit->session, hit->program, ticks - began);
	session_begin_time(hit->session, hit->record->thread,
			   session_now(hit->session), event);
	if (age < 0)
		return;
	event->began -= (uint64_t)age;
	event->began_own -= (uint64_t)age;
	event->began_track -= (uint64_t)age;
}

/*
 * Tells tracer/queries of the call that has begun the cell's query. The stack
 * is that of the thread now: at the return to `returns_to`, or, if that is 0,
 * at the entry at which the thread has stopped. Both moments are later than the
 * entry of the call, and within the same query.
 */
static void
adopt(struct hit *hit, const struct meter_cell *cell, addr_t sp,
      addr_t returns_to)
{
	struct session *session = hit->session;
	struct program *program = hit->program;
	struct tracepoint *tracepoint = function_of(program, cell->function);
	const struct meter_open open = { .sp = cell->sp };
	struct metered_text texts[METER_TEXTS];
	const struct meter_query *query;
	struct ended_inside *ended;
	struct hit then = *hit;
	struct call *call;
	size_t count;

	if (!tracepoint)
		return;
	query = query_of(program, cell->function);
	metering_registers(&then, &open, &cell->kept, tracepoint->address);
	call = report_begin_counted(&then, tracepoint, sp - BELOW, returns_to);
	begin_before(&then, cell->began, &call->event);
	ended = arena_zalloc(&call->arena, sizeof(*ended));
	ended->duration = (uint64_t)metering_ns(session, program, cell->head);
	ended->total = (uint64_t)metering_ns(session, program, cell->total);
	ended->count = cell->count;
	ended->changed = returns_to != 0;
	ended->result = (int64_t)cell->kept.result;
	ended->accessor = query->leads ? accessor_of(tracepoint->probe) : NULL;
	ended->value = cell->tested;
	if (cell->last != cell->function)
		note_last(program, cell, query, ended);
	count = cell_texts(cell, query, texts);
	metering_begin_query(&then, call, texts, count);
	report_open(call)->ended = ended;
	if (!returns_to)
		where_capture(hit, call);
	ended->walked = !returns_to || !session->options->frames;
	calls_end_last(&hit->record->calls, CALL_RETURNED);
}

/* Does the cell have the texts of the call with these arguments? Another thread
 * may have begun a query with the same handle. */
static bool
has_texts_of(const struct meter_cell *cell, const struct meter_kept *kept)
{
	return !memcmp(cell->kept.arguments, kept->arguments,
		       sizeof(kept->arguments));
}

size_t
metering_take_query(struct hit *hit, const struct meter_open *open,
		    const struct meter_kept *kept,
		    const struct meter_query *query,
		    struct metered_text *ret_texts)
{
	struct metering *metering = hit->program->metering;
	bool returns = hit->site && hit->site->address == open->return_address;
	bool known = area_has_cell(&metering->area, open->inner);
	bool followed =
		known && cells_is_followed(&metering->area, open->inner);
	struct meter_cell cell;

	/* If the call does not return now, its thread was stopped within it.
	 * The connection may then begin anew before the call returns, which
	 * xtrace must see (tracer/queries/sockets). */
	if (returns)
		perhaps_followed(metering,
				 kept_handle(hit->program, kept, query));
	else
		cells_drop(&metering->area, hit->program->space,
			   kept_handle(hit->program, kept, query), clock_now());
	if (!known || cells_read(hit->program->space, open->inner, &cell) < 0)
		return 0;
	if (cell.state == METER_CELL_IDLE)
		return has_texts_of(&cell, kept)
			       ? cell_texts(&cell, query, ret_texts)
			       : 0;
	if (followed)
		return 0;
	cells_empty(hit->program->space, open->inner);
	/* The meter has counted the return of this call, and then undone that.
	 * The cell may still say that this function was the last to return. */
	if (cell.last == open->sums)
		cell.last = cell.function;
	adopt(hit, &cell, open->sp, open->return_address);
	return 0;
}

/* ---- handles --------------------------------------------------------------*/

/* Does a call of this function mean that the cell's query is over? The query
 * was then fast, and what the cell has is dropped. */
static bool
gives_up(const struct probe *probe, const struct meter_cell *cell)
{
	const struct act *begin = probe_act(probe, ACT_BEGIN);

	return begin && !begin->inside && cell->state == METER_CELL_ANSWERED;
}

/* Does the function end a connection? The next one may have the same address,
 * and xtrace must see what it sends first (tracer/queries/sockets). */
static bool
ends_connection(const struct probe *probe)
{
	return probe_act(probe, ACT_FORGET) && !probe_act(probe, ACT_KEEP) &&
	       !probe_act(probe, ACT_END);
}

static void
tell_handle(struct hit *hit, const struct probe *probe, uint64_t handle)
{
	struct area *area = &hit->program->metering->area;
	struct space *space = hit->program->space;
	addr_t at = cells_find(area, handle);
	struct meter_cell cell;

	if (!at || cells_read(space, at, &cell) < 0)
		return;
	perhaps_followed(hit->program->metering, handle);
	if (cell.state != METER_CELL_IDLE && !cells_is_followed(area, at)) {
		cells_empty(space, at);
		if (!probe || !gives_up(probe, &cell))
			adopt(hit, &cell, regs_sp(&hit->regs), 0);
	}
	if (probe && ends_connection(probe))
		cells_drop(area, space, handle, clock_now());
}

/* The number of the arguments that may be handles. A register that passes no
 * argument may have the handle of another query by chance. */
static unsigned
count_arguments(const struct tracepoint *tracepoint)
{
	const struct proto *proto = tracepoint->proto;

	return proto && !proto->varargs && proto->count < METER_ARGUMENTS
		       ? (unsigned)proto->count
		       : METER_ARGUMENTS;
}

static bool
is_part(const struct act *act)
{
	return (act->kind == ACT_BEGIN || act->kind == ACT_ANSWERED ||
		act->kind == ACT_END) &&
	       act->keys[0]->kind == EXPR_ARG;
}

/* Tells the query of the connection to which an argument leads. */
static void
tell_linked(struct hit *hit, const struct tracepoint *tracepoint)
{
	const struct probe *probe = tracepoint->probe;

	for (size_t i = 0; i < probe->count; i++) {
		const struct act *act = &probe->acts[i];
		uint64_t link, object;

		if (!is_part(act) ||
		    !metering_links(hit->program, tracepoint, act, &link))
			continue;
		object = hit_argument(hit, (unsigned)act->keys[0]->number - 1);
		tell_handle(hit, probe,
			    linked_handle(hit->program, object, link));
		return;
	}
}

void
metering_tell_handles(struct hit *hit)
{
	const struct metering *metering = hit->program->metering;
	const struct tracepoint *tracepoint = hit->site->user;
	unsigned count;

	if (metering->area.kind != AREA_QUERIES || !metering->area.at ||
	    !site_owned(hit->site, SITE_OWNER_CALL))
		return;
	while (tracepoint && tracepoint->kind != TRACEPOINT_PROBED)
		tracepoint = tracepoint->next;
	if (!tracepoint)
		return;
	count = count_arguments(tracepoint);
	for (unsigned i = 0; i < count; i++)
		tell_handle(hit, tracepoint->probe, hit_argument(hit, i));
	tell_linked(hit, tracepoint);
}

void
metering_tell_query(struct hit *hit, uint64_t handle)
{
	const struct metering *metering = hit->program->metering;

	if (metering->area.kind == AREA_QUERIES && metering->area.at &&
	    !hit->before)
		tell_handle(hit, NULL, handle);
}

static void
add_handle(struct hit *hit, const struct meter_query *query)
{
	struct area *area = &hit->program->metering->area;
	struct meter_kept kept = { 0 };
	uint64_t handle;
	int r;

	if (query->idle == METER_ACT_PASS)
		return;
	for (unsigned i = 0; i < METER_ARGUMENTS; i++)
		kept.arguments[i] = hit_argument(hit, i);
	handle = kept_handle(hit->program, &kept, query);
	if (query->handle == HANDLE_OF_THREAD && hit->record->metered)
		handle = area_block_address(area, hit->record->metered->block);
	r = cells_add(area, hit->program->space, handle, clock_now());
	if (r < 0)
		debug("no cell for %#" PRIx64 ": %d", handle, r);
	/* The query of this call is followed. */
	perhaps_followed(hit->program->metering, handle);
}

void
metering_add_handle(struct hit *hit)
{
	const struct metering *metering = hit->program->metering;

	if (metering->area.kind != AREA_QUERIES || !jumps_begun(hit->site))
		return;
	for (size_t i = 0; i < metering->functions.count; i++)
		if (metering->functions.at[i] == hit->site->user)
			add_handle(hit, &metering->queries.at[i]);
}

void
metering_drop_handle(struct program *program, uint64_t handle)
{
	struct metering *metering = program->metering;

	if (metering->area.at && metering->area.kind == AREA_QUERIES)
		cells_drop(&metering->area, program->space, handle,
			   clock_now());
}

/* A handle whose query is over may have its next one inside the program. */
static void
follow_handles(struct session *session, struct program *program)
{
	struct metering *metering = program->metering;
	size_t count = metering->followed.count;

	metering->followed.count = 0;
	for (size_t i = 0; i < count; i++) {
		struct followed_handle *at = &metering->followed.at[i];

		if (!cells_find(&metering->area, at->handle))
			continue;
		if (!session->rooms->follows_handle(program, at->handle)) {
			cells_leave_handle(&metering->area, program->space,
					   at->handle);
			continue;
		}
		if (!at->told)
			cells_follow_handle(&metering->area, program->space,
					    at->handle);
		at->told = true;
		metering->followed.at[metering->followed.count++] = *at;
	}
}

void
metering_follow(struct session *session, struct program *program)
{
	struct metering *metering = program->metering;
	bool follows;

	if (!metering || !metering->area.at ||
	    metering->area.kind != AREA_QUERIES)
		return;
	follow_handles(session, program);
	follows = session->rooms->follows_queries(session);
	if (follows == metering->follows)
		return;
	metering->follows = follows;
	if (cells_follow(&metering->area, program->space, follows) < 0)
		debug("meters are not told of the queries that are followed");
}
