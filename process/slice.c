/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C library has no declaration of struct sched_attr before 2.41, so it is
 * declared here, with the layout of include/uapi/linux/sched/types.h
 * (SCHED_ATTR_SIZE_VER0). */
#include "process/slice.h"

#include "base/log.h"

#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The shortest slice that the kernel gives, in ns. */
#define SLICE_NS 100000

struct slice_request {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

void
slice_shorten(void)
{
	struct slice_request request;

	if (syscall(SYS_sched_getattr, 0, &request, sizeof(request), 0) < 0)
		return;
	request.size = sizeof(request);
	request.runtime = SLICE_NS;
	if (syscall(SYS_sched_setattr, 0, &request, 0) < 0)
		debug("slices stay as they are");
}

/* On Linux getpriority(2) and setpriority(2) are about one thread
 * (setpriority(2), "C library/kernel differences"). getpriority(2) returns -1
 * also as a priority; for the calling thread it cannot fail. */
int
slice_first(void)
{
	int nice = getpriority(PRIO_PROCESS, 0);

	if (setpriority(PRIO_PROCESS, 0, PRIO_MIN) < 0)
		debug("the priority stays as it is");
	return nice;
}

void
slice_as_before(int nice)
{
	if (setpriority(PRIO_PROCESS, 0, nice) < 0)
		debug("the priority is not restored");
}
