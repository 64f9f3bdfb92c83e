/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long a stopped thread and the tracing thread have waited for a CPU so
 * far. The file of the last stopped thread that was asked about stays open.
 */
#ifndef PROCESS_DELAYS_H
#define PROCESS_DELAYS_H

#include "base/attr.h"
#include "process/activity.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tally;

/* Threads whose files stay open: those of most pools. */
#define DELAYS_THREADS 8

struct delays {
	bool begun, refused;
	struct activity ours, of[DELAYS_THREADS];
};

/* Begins without open files. A file is opened when it is first read. */
void delays_init(struct delays *delays);
void delays_release(struct delays *delays);

/*
 * Stores for how long the stopped thread and the tracing thread, which calls
 * this function, have waited for a CPU together, in ns. Returns 0 or -errno:
 * -ENOTSUP if the kernel does not count the delays.
 */
must_check int delays_read(struct delays *delays, pid_t pid, pid_t tid,
			   struct tally *tally, uint64_t *ret_delay);

#endif
