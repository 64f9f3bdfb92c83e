/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sites that are hit often get meters. A return address is given to the meters
 * of entries after its own meter is planted. As long as it is known to them,
 * the site is kept: it counts as awaited by one call.
 */
#include "tracer/report/metering.h"

#include "base/log.h"
#include "breakpoints/jumps.h"
#include "breakpoints/step.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/metering_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

/* After this many calls the site gets a meter, except with --engine=eager. */
#define OFTEN 32

static unsigned
often(const struct session *session)
{
	return session->options->eager ? 0 : OFTEN;
}

static bool
begin_area(struct hit *hit)
{
	struct metering *metering = hit->program->metering;
	int r;

	if (metering->area.at || metering->refused)
		return !metering->refused;
	r = hit->program->sites.survive.code
		    ? area_begin(&metering->area, &hit->program->sites,
				 hit->record->thread,
				 metering_area_kind(hit->session))
		    : -ENOENT;
	metering->refused = r < 0;
	if (r < 0)
		debug("no area: %d", r);
	return r == 0;
}

static int
give_meter(struct hit *hit, enum check_kind kind, uint64_t size, bool *ret_done)
{
	struct sites *sites = &hit->program->sites;
	struct jump_request request = {
		.site = hit->site,
		.conditions = { { .kind = kind,
				  .number = hit->program->metering->area.at,
				  .size = size } },
		.count = 1,
	};
	int r = jumps_plant(sites, &request, 1, hit->record->thread);

	*ret_done = r == 0 && request.done;
	if (r < 0)
		return r;
	if (!request.done) {
		hit->session->counts.jumps_refused++;
		debug("no meter at %#" PRIxADDR ": %s", hit->site->address,
		      request.why);
		hot_sites_note(hit, request.why);
		return 0;
	}
	hot_sites_note(hit, NULL);
	hit->session->counts.jumps++;
	/* The slot of the trap would lead the thread to a boundary of the new
	 * jump, where it would trap again. */
	return step_past(sites, hit->site, hit->record->thread);
}

/* A thread without a block has called a function with a meter. The area may
 * have no free block any more, so it grows. */
static void
grow_area(struct hit *hit)
{
	struct metering *metering = hit->program->metering;
	int r;

	if (hit->record->metered || metering->small || metering->refused ||
	    hit->before || hit->trial || !area_may_grow(&metering->area))
		return;
	r = area_grow(&metering->area, &hit->program->sites,
		      hit->record->thread);
	metering->small = r < 0;
	if (r < 0)
		debug("the area cannot grow: %d", r);
}

/* If calls are grouped by their SQL, a function that takes SQL has no meter. */
static bool
may_take_sql(const struct hit *hit, const struct tracepoint *tracepoint)
{
	return hit->session->wants.sql &&
	       (tracepoint->takes_sql ||
		(!tracepoint->proto_known && !tracepoint->files_asked));
}

/* Has the site just had enough hits for a meter, and has it no other owner? */
static bool
is_called_often(struct hit *hit, enum site_owner owner)
{
	struct site *site = hit->site;

	if (!session_has_meters(hit->session) || hit->before || hit->trial ||
	    site->owners != 1u << owner || !site->planted ||
	    jumps_begun(site) || site->hits > often(hit->session))
		return false;
	return ++site->hits > often(hit->session);
}

bool
metering_may_come(const struct hit *hit)
{
	const struct site *site = hit->site;

	return session_has_meters(hit->session) &&
	       (jumps_begun(site) || (site->owners == 1u << SITE_OWNER_CALL &&
				      site->hits <= often(hit->session)));
}

/* Writes the tests that a meter makes for the function that gets the next
 * number. Returns NULL, or why the function can have no meter. */
static const char *
set_tests(struct hit *hit, const struct tracepoint *tracepoint,
	  struct meter_select *select)
{
	const struct metering *metering = hit->program->metering;
	const char *why =
		metering_select(hit->session, hit->program, tracepoint, select);

	if (!why &&
	    area_set_select(&metering->area, hit->program->space,
			    (unsigned)metering->functions.count, select) < 0)
		why = "its tests cannot be written";
	return why;
}

/* The meter of a function with a probe. Returns NULL, or why it has none. */
static const char *
set_query(struct hit *hit, const struct tracepoint *tracepoint,
	  struct meter_query *query)
{
	const struct metering *metering = hit->program->metering;
	const char *why =
		metering_query(hit->session, hit->program, tracepoint, query);

	if (!why &&
	    area_set_query(&metering->area, hit->program->space,
			   (unsigned)metering->functions.count, query) < 0)
		why = "what it must do cannot be written";
	return why;
}

static int
add_query(struct hit *hit, struct tracepoint *tracepoint)
{
	struct metering *metering = hit->program->metering;
	unsigned number = (unsigned)metering->functions.count;
	struct meter_query query = { 0 };
	const char *why = set_query(hit, tracepoint, &query);
	bool done;
	int r;

	if (why) {
		hot_sites_note(hit, why);
		return 0;
	}
	vec_push(&metering->functions, tracepoint);
	vec_push(&metering->queries, query);
	r = give_meter(hit, CHECK_METER_QUERY,
		       area_sums_offset(&metering->area, number), &done);
	if (done) {
		plan_ref(tracepoint->plan);
		metering_add_pages(hit);
		metering_add_handle(hit);
		return r;
	}
	metering->functions.count--;
	metering->queries.count--;
	return r;
}

/* Meters pass calls that send, receive or wait within a query's call. Other
 * functions of sockets begin or end connections. */
static int
add_socket(struct hit *hit, const struct tracepoint *tracepoint)
{
	bool done;

	if (tracepoint->begins_connection) {
		hot_sites_note(hit, "it begins or ends connections");
		return 0;
	}
	return give_meter(hit, CHECK_METER_WITHIN, 0, &done);
}

static int
add_function(struct hit *hit, struct tracepoint *tracepoint)
{
	struct metering *metering = hit->program->metering;
	unsigned number = (unsigned)metering->functions.count;
	bool selects = hit->session->wants.selected, done;
	struct meter_select select = { 0 };
	const char *why = selects ? set_tests(hit, tracepoint, &select) : NULL;
	enum check_kind kind = CHECK_METER_ENTRY;
	int r;

	if (why) {
		hot_sites_note(hit, why);
		return 0;
	}
	if (selects)
		kind = metering_has_texts(&select) ? CHECK_METER_TEXTS
						   : CHECK_METER_KEEP;
	/* Memory is allocated before the meter is planted. */
	vec_push(&metering->functions, tracepoint);
	vec_push(&metering->selects, select);
	r = give_meter(hit, kind, area_sums_offset(&metering->area, number),
		       &done);
	if (done) {
		plan_ref(tracepoint->plan);
		return r;
	}
	metering->functions.count--;
	metering->selects.count--;
	return r;
}

static bool
may_be_metered(const struct session *session,
	       const struct tracepoint *tracepoint)
{
	if (session->wants.selected && session->sets)
		return tracepoint->kind == TRACEPOINT_PROBED ||
		       tracepoint->kind == TRACEPOINT_SOCKET;
	return tracepoint->kind == TRACEPOINT_ENTRY ||
	       tracepoint->kind == TRACEPOINT_GATE;
}

int
metering_entered(struct hit *hit)
{
	struct metering *metering = hit->program->metering;
	struct tracepoint *tracepoint = hit->site->user;

	if (metering->area.at) {
		grow_area(hit);
		metering_add_pages(hit);
		metering_add_handle(hit);
	}
	if (!tracepoint || tracepoint->next || tracepoint->entry_only ||
	    !may_be_metered(hit->session, tracepoint) ||
	    may_take_sql(hit, tracepoint) ||
	    !is_called_often(hit, SITE_OWNER_CALL))
		return 0;
	if (!begin_area(hit)) {
		hot_sites_note(hit, "the program has no memory for counts");
		return 0;
	}
	if (tracepoint->kind == TRACEPOINT_SOCKET)
		return add_socket(hit, tracepoint);
	if (metering->functions.count == area_functions(metering->area.kind)) {
		hit->session->counts.meters_refused++;
		hot_sites_note(hit, "the table of functions is full");
		return 0;
	}
	if (tracepoint->kind == TRACEPOINT_PROBED)
		return add_query(hit, tracepoint);
	return add_function(hit, tracepoint);
}

int
metering_returned(struct hit *hit)
{
	static const enum check_kind kinds[] = {
		[AREA_SUMS] = CHECK_METER_RETURN,
		[AREA_WHOLES] = CHECK_METER_WHOLE,
		[AREA_KEPT] = CHECK_METER_SELECT,
		[AREA_QUERIES] = CHECK_METER_ANSWER,
	};
	struct metering *metering = hit->program->metering;
	bool done;
	int r;

	if (!metering->functions.count ||
	    !is_called_often(hit, SITE_OWNER_RETURN) || metering->refused)
		return 0;
	r = give_meter(hit, kinds[metering->area.kind], METER_TICKS_MOST,
		       &done);
	if (!done)
		return r;
	if (area_add_return(&metering->area, hit->program->space,
			    hit->site->address) == 0)
		hit->site->awaited++;
	else
		hit->session->counts.meters_refused++;
	return r;
}
