/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only sites of functions that are traced for certain callers (-e, and no PLT
 * in the calling module) get hot. Entries for every caller have no useless
 * hits.
 */
#include "tracer/report/heat.h"

#include "base/log.h"
#include "breakpoints/jumps.h"
#include "breakpoints/step.h"
#include "tracer/report/hot_sites.h"

#include <errno.h>
#include <inttypes.h>

/* After this many useless hits the site gets a jump, except with
 * --engine=eager. */
#define USELESS_HITS 32

/* Makes the conditions under which a thread must stop. False if a check cannot
 * have them. */
static bool
conditions_of(const struct site *site, struct jump_request *request)
{
	for (const struct tracepoint *tracepoint = site->user; tracepoint;
	     tracepoint = tracepoint->next) {
		if (tracepoint->kind != TRACEPOINT_CALLEE ||
		    request->count == CHECK_CONDITIONS)
			return false;
		request->conditions[request->count++] =
			(struct check_condition){
				.kind = CHECK_CALLER,
				.number = tracepoint->caller_start,
				.size = tracepoint->caller_end -
					tracepoint->caller_start,
			};
	}
	return request->count > 0;
}

static int
give_jump(struct hit *hit)
{
	struct sites *sites = &hit->program->sites;
	struct thread *thread = hit->record->thread;
	struct jump_request request = { .site = hit->site };
	int r = 0;

	request.why = "its functions are traced for other callers";
	if (conditions_of(hit->site, &request))
		r = jumps_plant(sites, &request, 1, thread);
	if (r == -ESRCH)
		return r;
	if (!request.done) {
		hit->session->counts.jumps_refused++;
		debug("no jump at %#" PRIxADDR ": %s", hit->site->address,
		      request.why);
		hot_sites_note(hit, request.why);
		return 0;
	}
	hot_sites_note(hit, NULL);
	hit->session->counts.jumps++;
	debug("a jump at %#" PRIxADDR, hit->site->address);
	/* The slot of the trap would lead the thread to a boundary of the new
	 * jump, where it would trap again. */
	return step_past(sites, hit->site, thread);
}

int
heat_useless(struct hit *hit)
{
	struct site *site = hit->site;
	unsigned most = hit->session->options->eager ? 0 : USELESS_HITS;

	if (!hit->session->options->jumps || hit->before ||
	    site->owners != 1u << SITE_OWNER_CALL || !site->planted ||
	    jumps_begun(site) || site->idle > most)
		return 0;
	/* A jump is tried once: when the count of useless hits becomes larger
	 * than this. */
	if (++site->idle <= most)
		return 0;
	return give_jump(hit);
}

void
heat_boundary(struct program *program, struct site *site, struct thread *thread)
{
	if (++site->jumping->inner <= JUMP_INNER_MOST || !jumps_begun(site))
		return;
	jumps_lift(&program->sites, site, thread);
	program->session->counts.jumps_back++;
	hot_sites_given_up(program->session, site);
}
