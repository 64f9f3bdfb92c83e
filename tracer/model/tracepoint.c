/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Frees a plan (tracer/model/tracepoint.h) when nothing refers to it any
 * more. */
#include "tracer/model/tracepoint.h"

#include "base/xmalloc.h"
#include "symbols/image.h"

#include <assert.h>
#include <stdlib.h>

struct plan *
plan_new(struct image *image)
{
	struct plan *plan = xcalloc(1, sizeof(*plan));

	plan->refs = 1;
	plan->image = image ? image_ref(image) : NULL;
	arena_init(&plan->arena);
	return plan;
}

struct plan *
plan_ref(struct plan *plan)
{
	plan->refs++;
	return plan;
}

void
plan_unref(struct plan *plan)
{
	if (!plan)
		return;
	assert(plan->refs > 0);
	if (--plan->refs > 0)
		return;
	arena_release(&plan->arena);
	image_unref(plan->image);
	free(plan);
}
