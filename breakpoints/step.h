/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves a thread past its site, and tells where a thread in a slot would be
 * without us.
 */
#ifndef BREAKPOINTS_STEP_H
#define BREAKPOINTS_STEP_H

#include "breakpoints/sites.h"

/*
 * The stopped thread hit the trap at site (its pc is after the trap). Sets its
 * pc so that it continues with the displaced instructions. Returns 0, -ESRCH,
 * or another error; then the pc is the site's address, the byte is restored,
 * and the site is given up.
 */
must_check int step_past(struct sites *sites, struct site *site,
			 struct thread *thread);

/*
 * If the stopped thread's pc is in a slot, sets it to the original instruction.
 * *ret_site is the site if none of its displaced instructions was executed yet
 * (the thread will hit the trap again), else NULL. False if the pc is in no
 * slot.
 */
bool step_unslot(struct sites *sites, struct thread *thread,
		 struct site **ret_site);

/* The address of the original instruction if the pc is in a slot, else the pc.
 * In the middle of a displaced call it is the pc, too. */
addr_t step_original(const struct sites *sites, addr_t pc);

/*
 * The stopped thread's pc is in a slot. Makes the thread run one of the
 * displaced instructions before a signal can send it back to the site; a
 * STOP_STEP follows (process/nudge.h). Returns 0, or -ESRCH or -EBUSY if it was
 * not done.
 */
must_check int step_nudge(struct sites *sites, struct thread *thread);
/* True if the thread is in the middle of a displaced call. */
bool step_unfinished(struct sites *sites, struct thread *thread);

#endif
