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
	char name[64]; /* the thread's name at its last sample */
	/* the thread's times when they were read last */
	struct activity_times times;
	/* the thread's times when it was interrupted */
	struct activity_times asked;
	/* The thread may have run since the last round. */
	bool runs_on;
	/* The thread's time (on a CPU, or with wall of the clock) up to which
	 * its samples count. */
	uint64_t counted;
	bool wanted; /* the thread was interrupted for a sample */
	/* the sample is taken again, because the copy was too short */
	bool retried;
	/* How often in a row the thread was refused a sample because it waited
	 * for a CPU. */
	unsigned refused;
	/* How many of the next samples are walked while the thread is stopped,
	 * because a copy would not be enough. */
	unsigned walk_held;
	unsigned short_copies; /* how many copies in a row were not enough */
	/* The memory that the last walks needed; NULL before the first walk. */
	struct read_cache *copy;
	/* seldom: the thread runs seldom. The other two: when this was decided,
	 * and the CPU time of the thread then, in ns. */
	bool seldom;
	uint64_t judged_at, judged_cpu;
	addr_t stack_low, stack_high; /* the mapping of its stack */
	/* For --sample-mode=wall. last: the sample of the place where the
	 * thread blocks. idle_until: the time up to which it is known that the
	 * thread blocked there. */
	struct sample *last;
	uint64_t idle_until;
};

/* Reads the thread's times, and counts the thread as running. Returns NULL if
 * the times cannot be read. */
struct sampled *sampled_new(struct thread_record *record);
/* sampled may be NULL. */
void sampled_free(struct sampled *sampled);

enum sampled_state {
	SAMPLED_SAME, /* the thread has not run since the last round */
	SAMPLED_BLOCKS,
	SAMPLED_RUNS, /* the thread runs, or waits for a CPU */
	SAMPLED_GONE,
};

/* Finds out what the thread does. SAMPLED_SAME: it blocks and has not run since
 * the last look. With by_clock, SAMPLED_SAME is returned only if the thread's
 * CPU time is unchanged, too. */
enum sampled_state sampled_look(struct sampled *sampled, bool by_clock);

/* Decides whether the thread runs seldom. */
void sampled_judge(struct sampled *sampled);

/* True if the thread had a CPU when it was interrupted. regs: its registers at
 * its stop. */
bool sampled_had_cpu(const struct sampled *sampled, const struct regs *regs);

/* Copies what a walk from these registers will probably need: the thread is
 * stopped. */
void sampled_copy(struct sampled *sampled, struct reader *memory,
		  const struct regs *regs);

/* Finds the mapping of the thread's stack, in which sp is. */
void sampled_find_stack(struct sampled *sampled, pid_t pid, addr_t sp);

#endif
