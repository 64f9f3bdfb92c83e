/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preloaded into xtrace: makes sched_setaffinity(2) fail, so that xtrace cannot
 * move to its tracee's CPU. The programs that xtrace starts are not affected.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>

static __attribute__((constructor)) void
not_the_tracee(void)
{
	unsetenv("LD_PRELOAD");
}

int
sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *cpus)
{
	(void)tid;
	(void)size;
	(void)cpus;
	errno = EPERM;
	return -1;
}
