/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel without CONFIG_SCHED_INFO has no /proc/PID/task/TID/schedstat. With
 * the counting of delays switched off, the file has three zeroes (kernel:
 * fs/proc/base.c, proc_pid_schedstat). The tracing thread has certainly run, so
 * zeroes for it tell that nothing is counted, and we do not read the files
 * again.
 */
#include "process/delays.h"

#include "process/tally.h"

#include <errno.h>
#include <unistd.h>

void
delays_init(struct delays *delays)
{
	*delays = (struct delays){ 0 };
	activity_init(&delays->ours, 0, 0);
	for (size_t i = 0; i < DELAYS_THREADS; i++)
		activity_init(&delays->of[i], 0, 0);
}

void
delays_release(struct delays *delays)
{
	activity_release(&delays->ours);
	for (size_t i = 0; i < DELAYS_THREADS; i++)
		activity_release(&delays->of[i]);
}

/* Called in the tracing thread, because /proc/PID/task/TID/schedstat belongs to
 * a thread. */
static void
begin(struct delays *delays)
{
	delays->begun = true;
	activity_init(&delays->ours, getpid(), gettid());
}

/* The thread's open files. They replace those of another thread. */
static struct activity *
files_of(struct delays *delays, pid_t pid, pid_t tid)
{
	struct activity *of = &delays->of[(unsigned)tid % DELAYS_THREADS];

	if (of->pid != pid || of->tid != tid) {
		activity_release(of);
		activity_init(of, pid, tid);
	}
	return of;
}

int
delays_read(struct delays *delays, pid_t pid, pid_t tid, struct tally *tally,
	    uint64_t *ret_delay)
{
	struct activity_times ours, its;
	int r;

	if (delays->refused)
		return -ENOTSUP;
	if (!delays->begun)
		begin(delays);
	tally->others += 2;
	r = activity_times(&delays->ours, &ours);
	if (r == -ENOENT || (r == 0 && ours.cpu == 0)) {
		delays->refused = true;
		return -ENOTSUP;
	}
	if (r < 0)
		return r;
	r = activity_times(files_of(delays, pid, tid), &its);
	if (r < 0)
		return r;
	*ret_delay = ours.delay + its.delay;
	return 0;
}
