/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes one stream to several sinks. They are told in the order in which they
 * were added; if two of them share a descriptor, their lines are in this order.
 * A sink has the same index for the whole run, so that at a call's return it
 * finds what it kept at the entry.
 */
#include "output/tee.h"

#include "base/xmalloc.h"
#include "output/redact.h"

#include <assert.h>
#include <stdlib.h>

struct tee {
	struct sink *sinks[SINKS_MOST];
	unsigned count;
	/* Members of struct sink_ops, if one of the sinks has them. `values`:
	 * the sink is not blind. `draws`: the sink has draw(). */
	bool values, whole, sql, times, gaps, draws, servers;
	/* Members of struct sink_ops, if all sinks have them; false if there is
	 * no sink. */
	bool sums, skips_brief;
	struct redaction *redaction; /* --redact; or NULL */
};

struct tee *
tee_new(void)
{
	return xcalloc(1, sizeof(struct tee));
}

void
tee_add(struct tee *tee, struct sink *sink)
{
	const struct sink_ops *ops = sink->ops;

	assert(tee->count < SINKS_MOST);
	tee->values |= !ops->blind;
	tee->whole |= ops->whole;
	tee->sql |= ops->sql;
	tee->times |= ops->times;
	tee->gaps |= ops->gaps;
	tee->servers |= ops->servers;
	tee->draws |= ops->draw != NULL;
	tee->sums = ops->sums && (tee->sums || tee->count == 0);
	tee->skips_brief =
		ops->skips_brief && (tee->skips_brief || tee->count == 0);
	sink->index = tee->count;
	tee->sinks[tee->count++] = sink;
}

void
tee_redact(struct tee *tee)
{
	tee->redaction = xcalloc(1, sizeof(*tee->redaction));
	arena_init(&tee->redaction->arena);
}

bool
tee_reads_values(const struct tee *tee)
{
	return tee->values;
}

bool
tee_reads_whole_texts(const struct tee *tee)
{
	return tee->whole;
}

bool
tee_reads_sql(const struct tee *tee)
{
	return tee->sql;
}

bool
tee_wants_servers(const struct tee *tee)
{
	return tee->servers;
}

bool
tee_takes_sums(const struct tee *tee)
{
	return tee->sums;
}

bool
tee_skips_brief(const struct tee *tee)
{
	return tee->skips_brief;
}

bool
tee_wants_times(const struct tee *tee)
{
	return tee->times;
}

bool
tee_tells_gaps(const struct tee *tee)
{
	return tee->gaps;
}

void
tee_event(struct tee *tee, const struct event *event)
{
	/* No sink is told a wall time below zero. The duration may be below
	 * zero because of measuring errors, see struct event_call. */
	assert(event->kind != EVENT_RETURN || event->call->wall <= INT64_MAX);
	if (tee->redaction && event->call)
		redact_begin(tee->redaction, event->call);
	for (unsigned i = 0; i < tee->count; i++)
		tee->sinks[i]->ops->event(tee->sinks[i], event);
	if (tee->redaction && event->call)
		redact_end(tee->redaction);
}

void
tee_tick(struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (tee->sinks[i]->ops->tick)
			tee->sinks[i]->ops->tick(tee->sinks[i]);
	}
}

void
tee_make_room(struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (tee->sinks[i]->ops->make_room)
			tee->sinks[i]->ops->make_room(tee->sinks[i]);
	}
}

bool
tee_draws(const struct tee *tee)
{
	return tee->draws;
}

void
tee_draw(struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (tee->sinks[i]->ops->draw)
			tee->sinks[i]->ops->draw(tee->sinks[i]);
	}
}

bool
tee_wants_stacks(struct tee *tee)
{
	bool wanted = false;

	for (unsigned i = 0; i < tee->count; i++) {
		struct sink *sink = tee->sinks[i];

		wanted |= sink->ops->wants_stacks &&
			  sink->ops->wants_stacks(sink);
	}
	return wanted;
}

bool
tee_message(struct tee *tee, const char *line)
{
	bool taken = false;

	for (unsigned i = 0; i < tee->count; i++) {
		struct sink *sink = tee->sinks[i];

		taken |= sink->ops->message && sink->ops->message(sink, line);
	}
	return taken;
}

void
tee_close(struct tee *tee)
{
	if (!tee)
		return;
	for (unsigned i = 0; i < tee->count; i++)
		tee->sinks[i]->ops->close(tee->sinks[i]);
	if (tee->redaction)
		arena_release(&tee->redaction->arena);
	free(tee->redaction);
	free(tee);
}
