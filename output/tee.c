/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One stream, several readers. The sinks are told in the order they were
 * added, which is the order in which two of them that share a descriptor
 * write their lines. An index belongs to one sink for the whole run, so that
 * what it hung on a call at its entry is found there at its return.
 */
#include "output/tee.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>

struct tee {
	struct sink *sinks[SINKS_MOST];
	unsigned count;
};

struct tee *
tee_new(void)
{
	return xcalloc(1, sizeof(struct tee));
}

void
tee_add(struct tee *tee, struct sink *sink)
{
	assert(tee->count < SINKS_MOST);
	sink->index = tee->count;
	tee->sinks[tee->count++] = sink;
}

bool
tee_looks_at_values(const struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (!tee->sinks[i]->ops->blind)
			return true;
	}
	return false;
}

bool
tee_looks_at_whole_texts(const struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (tee->sinks[i]->ops->whole)
			return true;
	}
	return false;
}

bool
tee_looks_at_sql(const struct tee *tee)
{
	for (unsigned i = 0; i < tee->count; i++) {
		if (tee->sinks[i]->ops->sql)
			return true;
	}
	return false;
}

void
tee_event(struct tee *tee, const struct event *event)
{
	for (unsigned i = 0; i < tee->count; i++)
		tee->sinks[i]->ops->event(tee->sinks[i], event);
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
tee_close(struct tee *tee)
{
	if (!tee)
		return;
	for (unsigned i = 0; i < tee->count; i++)
		tee->sinks[i]->ops->close(tee->sinks[i]);
	free(tee);
}
