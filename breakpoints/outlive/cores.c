/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program registers for the expedited barrier before it makes the first one
 * (membarrier(2), EPERM). The registration is a flag of its space and stays. To
 * register again is cheap, so both calls are made each time.
 */
#include "breakpoints/outlive/cores.h"

#include "base/log.h"
#include "process/remote.h"
#include "process/space.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
barrier(int command)
{
	long r = syscall(SYS_membarrier, command, 0, 0);

	return r < 0 ? -errno : (int)r;
}

bool
cores_global_possible(void)
{
	int commands = barrier(MEMBARRIER_CMD_QUERY);

	return commands > 0 && commands & MEMBARRIER_CMD_GLOBAL;
}

int
cores_sync_global(void)
{
	return barrier(MEMBARRIER_CMD_GLOBAL);
}

static bool
alone(const struct thread *thread)
{
	return thread->process->thread_count == 1 &&
	       thread->process->space->users == 1;
}

int
cores_sync(struct table *table, struct thread *thread, addr_t scratch)
{
	const struct stub_call calls[] = {
		{ SYS_membarrier,
		  { MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE } },
		{ SYS_membarrier,
		  { MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE } },
	};
	int64_t results[2] = { -EINVAL, -EINVAL };
	int r;

	if (alone(thread))
		return 0;
	r = remote_run(table, thread, scratch, calls, 2, results);
	if (r == -ESRCH || (r == 0 && results[1] == 0))
		return r;
	debug("%d: no barrier of its own: %d, %" PRId64, thread->tid, r,
	      results[1]);
	return cores_sync_global();
}
