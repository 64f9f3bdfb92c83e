/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	planted with libpq --- a hit, no answer ---> lifted
 *	   ^                                           |
 *	   +------------- an answer begins ------------+
 *
 * A trap is lifted by the first hit for which it was not needed, because that
 * costs less than to watch the ends of all answers. A site that has another
 * tracepoint keeps its trap, because that tracepoint needs it always. A site
 * with a meter keeps it, too: while a call of a libpq function is counted
 * inside the program, the meter lets that function's calls of poll() pass.
 */
#include "tracer/queries/poll_traps.h"

#include "base/log.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "tracer/queries/probe_scope.h"
#include "tracer/queries/probes.h"
#include "tracer/report/metering.h"

#include <stdlib.h>

struct poll_traps {
	vec_of(addr_t) at;
	bool lifted;
};

/* The site at the address, if its only tracepoint is that of a poll trap; else
 * NULL: libpq may have been unmapped, and another library mapped there. */
static struct site *
site_at(struct program *program, addr_t address)
{
	struct site *site = sites_find(&program->sites, address);
	const struct tracepoint *tracepoint = site ? site->user : NULL;

	return tracepoint && !tracepoint->next &&
			       tracepoint->kind == TRACEPOINT_SOCKET &&
			       tracepoint->waits
		       ? site
		       : NULL;
}

void
poll_traps_add(struct program *program, addr_t address)
{
	struct poll_traps *traps;

	if (!program->poll_traps)
		program->poll_traps = xcalloc(1, sizeof(*program->poll_traps));
	traps = program->poll_traps;
	poll_traps_plant(program);
	for (size_t i = 0; i < traps->at.count; i++) {
		if (traps->at.at[i] == address)
			return;
	}
	vec_push(&traps->at, address);
}

void
poll_traps_plant(struct program *program)
{
	struct poll_traps *traps = program->poll_traps;

	if (!traps || !traps->lifted)
		return;
	traps->lifted = false;
	for (size_t i = 0; i < traps->at.count; i++) {
		struct site *site = site_at(program, traps->at.at[i]);

		if (site &&
		    sites_own(&program->sites, site, SITE_OWNER_CALL) < 0)
			debug("a poll trap cannot be planted again");
	}
}

/* Has the program a query whose answer has begun, and is not over? */
static bool
is_answered(const struct program *program)
{
	const struct memory *memory = program->session->memory;
	bool answered = false;
	struct str key;

	str_init(&key);
	probe_key_begin(program, &key);
	if (memory)
		answered = spans_answered(&memory->spans, str_text(&key));
	str_release(&key);
	return answered;
}

void
poll_traps_hit(const struct hit *hit)
{
	struct program *program = hit->program;
	struct poll_traps *traps = program->poll_traps;

	if (!traps || traps->lifted || metering_may_come(hit) ||
	    is_answered(program) ||
	    session_repeats(hit->session, hit->record->thread->process))
		return;
	traps->lifted = true;
	for (size_t i = traps->at.count; i-- > 0;) {
		struct site *site = site_at(program, traps->at.at[i]);

		if (site)
			sites_disown(&program->sites, site, SITE_OWNER_CALL);
		else if (!sites_find(&program->sites, traps->at.at[i]))
			vec_remove(&traps->at, i);
	}
}

static void
poll_traps_copied(struct program *child, const struct program *parent)
{
	const struct poll_traps *from = parent->poll_traps;

	for (size_t i = 0; from && i < from->at.count; i++)
		poll_traps_add(child, from->at.at[i]);
	if (from && child->poll_traps)
		child->poll_traps->lifted = from->lifted;
}

static void
poll_traps_gone(struct program *program)
{
	if (!program->poll_traps)
		return;
	vec_release(&program->poll_traps->at);
	free(program->poll_traps);
	program->poll_traps = NULL;
}

const struct life poll_traps_life = {
	.copied = poll_traps_copied,
	.gone = poll_traps_gone,
};
