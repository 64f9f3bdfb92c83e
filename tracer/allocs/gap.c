/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much a program gets in a gap is known from the kernel's own count of the
 * memory that the program may write and does not share. mmap(), brk() and
 * mprotect() change this count as they change the growths that xtrace sees.
 *
 * The count cannot be read after an exec, because the memory does not exist any
 * more.
 */
#include "tracer/allocs/gap.h"

#include "output/event.h"
#include "process/status.h"

static int64_t
writable(pid_t tid)
{
	uint64_t bytes;

	return status_writable(tid, &bytes) < 0 ? -1 : (int64_t)bytes;
}

void
gap_begin(struct gap *gap, pid_t pid, uint64_t now)
{
	*gap = (struct gap){
		.open = true,
		.since = now,
		.before = writable(status_living(pid)),
		.after = -1,
	};
}

void
gap_process_exits(struct gap *gap, pid_t tid)
{
	if (gap->open)
		gap->after = writable(tid);
}

int64_t
gap_change(const struct gap *gap, pid_t living)
{
	int64_t after = living ? writable(status_living(living)) : gap->after;

	return gap->before < 0 || after < 0 ? EVENT_CHANGE_UNKNOWN
					    : after - gap->before;
}
