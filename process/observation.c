/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel tells the pc and the stack pointer of a blocked thread, but no
 * other register. These two are enough to walk most stacks. Interpreters also
 * need the thread pointer. It is in the thread's control block in memory:
 * get_robust_list(2) gives the address of the robust list's head, which the C
 * library has placed in this block. The start of the block (tcb, dtv, self;
 * psABI of ELF TLS, variant II) has its own address in it twice: words 0 and 2
 * of glibc's tcbhead_t.
 */
#include "process/observation.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "process/restart.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The largest distance from the start of the block to the list's head. */
#define RECORD_MOST 1024u

static addr_t
thread_pointer(pid_t tid, struct reader *memory)
{
	uint64_t words[RECORD_MOST / sizeof(uint64_t)];
	addr_t head = 0, from;
	size_t length;

	if (syscall(SYS_get_robust_list, tid, &head, &length) < 0 || !head)
		return 0;
	from = (head - sizeof(words)) & ~UINT64_C(63);
	if (reader_read(memory, from, words, sizeof(words)) < 0)
		return 0;
	for (size_t i = array_size(words); i-- > 0;) {
		addr_t at = from + i * sizeof(words[0]);

		if (i + 2 < array_size(words) && words[i] == at &&
		    words[i + 2] == at)
			return at;
	}
	return 0;
}

/* Reads the sum of both numbers of context switches, and the letter of the
 * state. */
static int
read_switches(pid_t pid, pid_t tid, uint64_t *ret_switches, char *ret_state)
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
	*ret_switches = 0;
	for (size_t i = 0; i < array_size(keys); i++) {
		const char *at = strstr(text, keys[i]);

		if (at)
			*ret_switches +=
				strtoull(at + strlen(keys[i]), NULL, 10);
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
observation_take(pid_t pid, pid_t tid, struct reader *memory,
		 struct observation *ret_observation)
{
	struct observation seen = { 0 };
	char state;
	int r = read_switches(pid, tid, &seen.switches, &state);

	if (r == 0)
		r = status_blocked(pid, tid, &seen.at);
	if (r < 0)
		return r;
	seen.blocked = !seen.at.running && seen.at.pc;
	if (seen.blocked) {
		seen.stopped = state == 'T';
		regs_set_pc(&seen.regs, seen.at.pc);
		regs_set_sp(&seen.regs, seen.at.sp);
		regs_set_thread_pointer(&seen.regs,
					thread_pointer(tid, memory));
	}
	*ret_observation = seen;
	return 0;
}

bool
observation_holds(pid_t pid, pid_t tid, const struct observation *seen)
{
	struct blocked blocked;
	uint64_t switches;
	char state;

	return status_blocked(pid, tid, &blocked) == 0 &&
	       same_place(&blocked, seen) &&
	       read_switches(pid, tid, &switches, &state) == 0 &&
	       switches == seen->switches;
}

bool
observation_may_stop(pid_t tid, const struct observation *seen)
{
	return seen->stopped || restart_unseen(tid, &seen->at);
}
