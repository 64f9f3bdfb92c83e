/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gap is a part of a program's time that no window of the budget covers. It
 * begins with a break, or with the program if the program begins in a break. If
 * the break ends while the program runs, the gap ends, too, and the growths of
 * the next window are extrapolated to it (budget_seen()). Otherwise the gap
 * ends with the program, or when xtrace leaves.
 */
#ifndef TRACER_ALLOCS_GAP_H
#define TRACER_ALLOCS_GAP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct gap {
	bool open;
	uint64_t since;
	/* The program's private writable memory at the gap's beginning, and
	 * when its process ended; -1: unknown, or it has not ended. */
	int64_t before, after;
};

/* The gap of the process's program begins. */
void gap_begin(struct gap *gap, pid_t pid, uint64_t now);

/* The thread is about to end, and the program's process with it. The memory of
 * the program can still be read. */
void gap_process_exits(struct gap *gap, pid_t tid);

/* The change of the program's memory in the gap in bytes, or
 * EVENT_CHANGE_UNKNOWN (output/event.h). If the program still runs, the last
 * argument is its process, else 0. */
int64_t gap_change(const struct gap *gap, pid_t living);

#endif
