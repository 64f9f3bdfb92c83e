/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Newcomers are processes that fit a choice (process/choice.h) and begin after
 * xtrace has begun: with --follow-new xtrace attaches to them, too.
 */
#ifndef TRACER_ATTACH_NEWCOMERS_H
#define TRACER_ATTACH_NEWCOMERS_H

#include "tracer/model/session.h"

struct newcomers;

/* Starts the thread that looks for newcomers: once per second, and when the
 * kernel tells that a program has begun. Returns NULL without --follow-new. */
struct newcomers *newcomers_new(const struct options *options,
				struct clockwork *clockwork);
/* Ends the thread that looks for newcomers. */
void newcomers_free(struct newcomers *newcomers);

/*
 * Attaches to the newcomers that were found. Called by the tracing thread when
 * it serves no stop. A process that cannot be traced is left out; the user is
 * told once.
 */
void newcomers_take(struct session *session);

#endif
