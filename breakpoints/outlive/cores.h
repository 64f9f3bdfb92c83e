/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that is changed while threads run: after cores_sync(), no CPU executes
 * bytes of a tracee that it fetched before (membarrier(2)). The manual page
 * promises that for PRIVATE_EXPEDITED_SYNC_CORE, which a thread of the tracee
 * must call. GLOBAL, which xtrace can call, waits until each CPU was in the
 * kernel or has switched tasks; the CPU's return from there to another program
 * is a serializing instruction on x86-64.
 */
#ifndef BREAKPOINTS_OUTLIVE_CORES_H
#define BREAKPOINTS_OUTLIVE_CORES_H

#include "base/attr.h"
#include "process/thread.h"

#include <stdbool.h>

/* Does the kernel offer membarrier(2) with GLOBAL? It does not if a CPU runs
 * without ticks (nohz_full). */
bool cores_global_possible(void);

/* Synchronises all CPUs by membarrier(2) with GLOBAL, which takes 10 to 20 ms.
 * May be called from a signal handler. */
must_check int cores_sync_global(void);

/*
 * Synchronises all CPUs that run the thread's space. thread is stopped; scratch
 * is as for remote_run(). Nothing is done if thread is the only one in its
 * space. If thread cannot make the system call membarrier(2), xtrace makes it,
 * with GLOBAL. Returns 0, -ESRCH, or why it was not possible.
 */
must_check int cores_sync(struct table *table, struct thread *thread,
			  addr_t scratch);

#endif
