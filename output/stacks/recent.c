/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread's oldest samples are forgotten when there are many. */
#include "output/stacks/recent.h"

#include "base/clock.h"
#include "base/vec.h"
#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES_MOST 4096u

struct recent_samples {
	vec_of(struct recent_sample) list;
};

void
recent_init(struct recent *recent)
{
	map_init(&recent->threads);
}

void
recent_release(struct recent *recent)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&recent->threads, &cursor, NULL, &item)) {
		vec_release(&((struct recent_samples *)item)->list);
		free(item);
	}
	map_release(&recent->threads);
}

void
recent_add(struct recent *recent, const struct event *event,
	   struct tree_node *node)
{
	struct recent_samples *samples =
		map_get(&recent->threads, (uint64_t)event->tid);
	const struct recent_sample sample = { event->when, event->weight,
					      node };

	if (!samples) {
		samples = xcalloc(1, sizeof(*samples));
		map_put(&recent->threads, (uint64_t)event->tid, samples);
	}
	if (samples->list.count == SAMPLES_MOST) {
		samples->list.count /= 2;
		memmove(samples->list.at,
			samples->list.at + samples->list.count,
			samples->list.count * sizeof(sample));
	}
	vec_push(&samples->list, sample);
}

void
recent_take(struct recent *recent, pid_t tid, uint64_t began,
	    void (*move)(const struct recent_sample *sample, uint64_t weight,
			 void *user),
	    void *user)
{
	struct recent_samples *samples =
		map_get(&recent->threads, (uint64_t)tid);

	while (samples && samples->list.count > 0) {
		const struct recent_sample sample =
			samples->list.at[samples->list.count - 1];
		uint64_t since = clock_between(began, sample.when);

		if (since == 0)
			return;
		samples->list.count--;
		move(&sample, sample.weight < since ? sample.weight : since,
		     user);
	}
}
