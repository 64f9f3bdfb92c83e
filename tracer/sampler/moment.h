/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The moment of a round, and whether a thread had a CPU at this moment. A
 * thread that waited for a CPU stops when it gets one. It is then at the place
 * at which it lost its last CPU.
 */
#ifndef TRACER_SAMPLER_MOMENT_H
#define TRACER_SAMPLER_MOMENT_H

#include "process/activity.h"

#include <stdbool.h>

struct moment {
	uint64_t due; /* when the round should begin */
	/* the times of xtrace's thread are read from here */
	struct activity own;
	/* the times of xtrace's thread before its last wait */
	struct activity_times then;
};

void moment_init(struct moment *moment);
void moment_release(struct moment *moment);

/* Called before each wait of xtrace's thread. */
void moment_wait(struct moment *moment);

/* When a thread that was interrupted got a CPU, if it stopped as soon as it had
 * one. seen: when xtrace saw the stop, after its last wait. */
uint64_t moment_got(struct moment *moment, uint64_t seen);

/* The times of a thread that ran or waited for a CPU when it was interrupted,
 * and its times at its stop. */
struct moment_times {
	struct activity_times asked, stopped;
};

/*
 * True if the thread had a CPU when it was interrupted. A thread that waits
 * stops as soon as it gets a CPU. A thread that loses its CPU just before it
 * stops has usually run for longer than a moment, and all this time is added
 * when it loses the CPU.
 */
bool moment_had_cpu(const struct moment_times *times);

/* True if the thread had lost its CPU just when the round was due. got: when it
 * got a CPU again. */
bool moment_lost_cpu(const struct moment_times *times, uint64_t got,
		     uint64_t due);

#endif
