/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --sample: at random moments, some hundred times a second or less, xtrace
 * looks which threads run, stops these for some microseconds, and reads their
 * stacks. Threads that block are not touched. All functions do nothing if
 * session->sampler is NULL.
 */
#ifndef TRACER_SAMPLER_SAMPLER_H
#define TRACER_SAMPLER_SAMPLER_H

#include "process/stop.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* Returns NULL without --sample. */
struct sampler *sampler_new(struct session *session);
/* sampler may be NULL. */
void sampler_free(struct sampler *sampler);

/* Before each wait of the loop: makes samples of what was copied, and looks at
 * the threads if it is time. */
void sampler_work(struct session *session);
/* When sampler_work() is to be called next; 0: it has nothing to do. */
uint64_t sampler_next(const struct session *session);

/* A thread has stopped, and was not resumed yet. If this was for a sample,
 * copies what its walk needs. */
void sampler_stopped(struct session *session, const struct stop *stop);

/* Called once a second: reads the modules of the programs again, and tells the
 * sinks the time of threads that have blocked since. */
void sampler_tick(struct session *session);

/* Ends the sampling. Call this before the threads are left. */
void sampler_end(struct session *session);

/* For --stats: how many samples there were, and how many of them had to be
 * taken again or were given up; how many stops were of threads that had waited
 * for a CPU; how long a thread was held for one sample; how many rounds there
 * were, and how often a thread was looked at in them. */
struct sampler_counts {
	uint64_t rounds, examined;
	uint64_t samples, again, dropped, refused;
	uint64_t held_ns, held_most_ns, stops;
};
const struct sampler_counts *sampler_counts(const struct sampler *sampler);

extern const struct life sampler_life;

#endif
