/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sampler knows of one thread. */
#ifndef TRACER_SAMPLER_SAMPLED_H
#define TRACER_SAMPLER_SAMPLED_H

#include "process/activity.h"
#include "stacks/read_cache.h"
#include "tracer/model/session.h"

struct sample;

struct sampled {
	struct sampler *sampler;
	struct thread_record *record;
	struct activity activity;
	char name[64]; /* at its last sample */
	/* In the last round: its time on a CPU, how often it got one, and
	 * whether it may have run since. */
	uint64_t cpu, runs;
	bool runs_on;
	/* The thread's time (on a CPU, or with wall of the clock) up to which
	 * its samples count. */
	uint64_t counted;
	bool wanted; /* interrupted for a sample */
	/* So many next samples are walked while the thread is stopped, because
	 * a copy would not be enough. */
	unsigned walk_held;
	unsigned short_copies; /* that were not enough, in a row */
	/* What the last walks needed; NULL before the first. */
	struct read_cache *copy;
	addr_t stack_low, stack_high; /* the mapping of its stack */
	/* By the clock: where the thread has blocked since, and until when that
	 * is known. */
	struct sample *last;
	uint64_t idle_until;
};

struct sampled *sampled_new(struct thread_record *record);
/* sampled may be NULL. */
void sampled_free(struct sampled *sampled);

/* Copies what a walk from these registers will probably need: the thread is
 * stopped. */
void sampled_copy(struct sampled *sampled, struct reader *memory,
		  const struct regs *regs);

/* Finds out where the stack at sp ends. */
void sampled_find_stack(struct sampled *sampled, pid_t pid, addr_t sp);

#endif
