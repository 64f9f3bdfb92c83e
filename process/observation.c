/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel tells the pc and the stack pointer of a blocked thread, but no
 * other register. These two are enough to walk most stacks. Interpreters also
 * need the thread pointer. It is in the thread's control block in memory:
 * get_robust_list(2) gives the address of the robust list's head, which the C
 * library has placed in this block (struct arch_libc).
 */
#include "process/observation.h"

#include "arch/libc.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/restart.h"
#include "process/space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static addr_t
thread_pointer(const struct arch *arch, pid_t tid, struct reader *memory)
{
	addr_t list = 0;
	size_t length;

	if (syscall(SYS_get_robust_list, tid, &list, &length) < 0 || !list)
		return 0;
	return arch->libc->thread_pointer(memory, list);
}

/* Reads the context switches, the sum and the voluntary ones alone, and the
 * letter of the state. */
static int
read_switches(pid_t pid, pid_t tid, uint64_t *ret_switches,
	      uint64_t *ret_voluntary, char *ret_state)
{
	static const char *const keys[] = { "\nvoluntary_ctxt_switches:",
					    "\nnonvoluntary_ctxt_switches:" };
	cleanup(freep) char *text = NULL;
	const char *state;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	r = fd_read_file(path, &text, NULL);
	if (r < 0)
		return r;
	*ret_switches = *ret_voluntary = 0;
	for (size_t i = 0; i < array_size(keys); i++) {
		const char *at = strstr(text, keys[i]);
		uint64_t count =
			at ? strtoull(at + strlen(keys[i]), NULL, 10) : 0;

		*ret_switches += count;
		if (i == 0)
			*ret_voluntary = count;
	}
	state = strstr(text, "\nState:\t");
	*ret_state = state ? state[8] : '?';
	return 0;
}

static bool
same_place(const struct blocked *blocked, const struct observation *seen)
{
	return !blocked->running && blocked->number == seen->at.number &&
	       blocked->pc == seen->at.pc && blocked->sp == seen->at.sp;
}

int
observation_take(pid_t pid, pid_t tid, struct space *space,
		 struct observation *ret_observation)
{
	struct observation seen = { .arch = space->arch };
	char state;
	int r = read_switches(pid, tid, &seen.switches, &seen.voluntary,
			      &state);

	if (r == 0)
		r = status_blocked(space->arch, pid, tid, &seen.at);
	if (r < 0)
		return r;
	seen.blocked = !seen.at.running && seen.at.pc;
	if (seen.blocked) {
		seen.stopped = state == 'T';
		seen.traced = state == 't';
		regs_set_pc(&seen.regs, seen.at.pc);
		regs_set_sp(&seen.regs, seen.at.sp);
		regs_set_thread_pointer(&seen.regs,
					thread_pointer(space->arch, tid,
						       &space->reader));
	}
	*ret_observation = seen;
	return 0;
}

/* A thread that stops for its tracer while its status is read may be shown with
 * the state before that and the switches after it. So the state is compared,
 * too. */
bool
observation_holds(pid_t pid, pid_t tid, const struct observation *seen)
{
	struct blocked blocked;
	uint64_t switches, voluntary;
	char state;

	return status_blocked(seen->arch, pid, tid, &blocked) == 0 &&
	       same_place(&blocked, seen) &&
	       read_switches(pid, tid, &switches, &voluntary, &state) == 0 &&
	       switches == seen->switches && (state == 't') == seen->traced;
}

bool
observation_may_stop(pid_t tid, const struct observation *seen)
{
	return seen->stopped || restart_unseen(tid, &seen->at);
}
