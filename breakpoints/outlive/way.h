/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way up and back of a jump (arch/jump.h): writes its bytes in a tracee.
 * xtrace uses it, and so do the watcher when xtrace has ended, and a later
 * xtrace.
 */
#ifndef BREAKPOINTS_OUTLIVE_WAY_H
#define BREAKPOINTS_OUTLIVE_WAY_H

#include "arch/arch.h"
#include "arch/jump.h"
#include "base/attr.h"
#include "breakpoints/outlive/inside/inside.h"

/*
 * Writes the bytes of one step, one at a time. memory: a descriptor of
 * /proc/PID/mem. Returns how many were written; -EBUSY if the bytes are not
 * ours any more; -EFAULT if they cannot be read or written. Allocates nothing.
 */
must_check int way_step(int memory, const struct jump *jump,
			const struct arch_trap *trap, struct jump_step step);

/* Are some of the jump's bytes not the original ones? */
must_check bool way_begun(int memory, const struct jump *jump);

/* Fills in the two words that the handler's table keeps of a jump. */
void way_pack(const struct jump *jump, struct inside_entry *entry);
/* Reads the jump of an entry. False if the entry has none. */
bool way_unpack(const struct inside_entry *entry, struct jump *ret_jump);

/*
 * Makes all steps of the way back of an entry's jump, if it has one, up to a
 * trap at its first byte. The threads of the space do not run. Returns 0, or
 * why the jump stays.
 */
must_check int way_back_of(int memory, const struct arch_trap *trap,
			   const struct inside_entry *entry);

#endif
