/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To be preloaded into xtrace: sched_setaffinity(2) is refused, so that it
 * cannot go where its tracee is. What it starts is not meant.
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
