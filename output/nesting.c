/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call's own time is its duration without the durations of the traced calls
 * directly within it. The own times of all calls therefore add up to the time
 * spent in traced calls, while the durations count a nested call twice.
 *
 * Each thread has a chain of open calls, the innermost first. Usually the
 * innermost call ends first. But a thread with several stacks (fibers,
 * swapcontext) ends them in any order, so the ended call is searched in the
 * chain and removed from any place. If a call stays open while its thread
 * switches to another stack, calls there count as nested in it. The chain
 * belongs to the thread, and so does the depth of an event.
 */
#include "output/nesting.h"

#include "base/xmalloc.h"

#include <stdlib.h>

void
nesting_init(struct nesting *nesting)
{
	map_init(&nesting->threads);
	nesting->idle = NULL;
}

static void
free_chain(struct nested *nested)
{
	while (nested) {
		struct nested *outer = nested->outer;

		free(nested);
		nested = outer;
	}
}

void
nesting_release(struct nesting *nesting)
{
	size_t cursor = 0;
	void *chain;

	while (map_next(&nesting->threads, &cursor, NULL, &chain))
		free_chain(chain);
	map_release(&nesting->threads);
	free_chain(nesting->idle);
	nesting->idle = NULL;
}

static void
set_innermost(struct nesting *nesting, pid_t tid, struct nested *nested)
{
	if (nested)
		map_put(&nesting->threads, (uint64_t)tid, nested);
	else
		map_remove(&nesting->threads, (uint64_t)tid);
}

struct nested *
nesting_innermost(const struct nesting *nesting, pid_t tid)
{
	return map_get(&nesting->threads, (uint64_t)tid);
}

struct nested *
nesting_enter(struct nesting *nesting, const struct event *event)
{
	struct nested *nested = nesting->idle;

	if (nested)
		nesting->idle = nested->outer;
	else
		nested = xmalloc(sizeof(*nested));
	nested->outer = map_get(&nesting->threads, (uint64_t)event->tid);
	nested->inner = 0;
	nested->entry = event->call->entry;
	nested->mark = NULL;
	set_innermost(nesting, event->tid, nested);
	return nested;
}

static void
take_out(struct nesting *nesting, pid_t tid, struct nested *nested)
{
	struct nested *at = map_get(&nesting->threads, (uint64_t)tid);

	if (at == nested) {
		set_innermost(nesting, tid, nested->outer);
		return;
	}
	while (at && at->outer != nested)
		at = at->outer;
	if (at)
		at->outer = nested->outer;
}

int64_t
nesting_leave(struct nesting *nesting, const struct event *event,
	      struct nested *nested)
{
	int64_t duration = event->call->duration;
	int64_t inner;

	if (!nested)
		return duration;
	take_out(nesting, event->tid, nested);
	if (nested->outer)
		nested->outer->inner += duration;
	inner = nested->inner;
	nested->outer = nesting->idle;
	nesting->idle = nested;
	return duration - inner;
}

void
nesting_add_inner(struct nesting *nesting, const struct event *event)
{
	struct nested *nested = nesting_innermost(nesting, event->tid);

	if (nested)
		nested->inner += event->call->duration;
}
