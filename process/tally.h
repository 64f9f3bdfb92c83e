/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts for --stats: what tracing cost in stops, system calls and bytes. Plain
 * counters; only the tracing thread changes them.
 */
#ifndef PROCESS_TALLY_H
#define PROCESS_TALLY_H

#include "process/stop.h"

#include <stddef.h>
#include <stdint.h>

struct tally {
	uint64_t stops[STOP_KINDS];
	uint64_t waits;
	uint64_t ptraces;
	uint64_t reads;
	uint64_t read_bytes;
	uint64_t writes;
	uint64_t write_bytes;
	/* system calls that find out on which CPU a thread runs and how long it
	 * has waited for one, and that bind xtrace to a CPU */
	uint64_t others;
	uint64_t injected; /* system calls that tracees made for us */
	/* How often we have restored the action and the mask of SIGTRAP, which
	 * the kernel resets at a trap in a thread that blocks SIGTRAP; and how
	 * often we cannot explain why a thread does not block SIGTRAP any
	 * more. */
	uint64_t actions_restored, masks_restored, masks_unknown;
	uint64_t held_ns; /* how long threads were stopped at attach */
	uint64_t held_most_ns;
};

static inline void
tally_read(struct tally *tally, size_t bytes)
{
	tally->reads++;
	tally->read_bytes += bytes;
}

static inline void
tally_write(struct tally *tally, size_t bytes)
{
	tally->writes++;
	tally->write_bytes += bytes;
}

#endif
