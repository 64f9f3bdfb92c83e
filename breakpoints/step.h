/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Getting a thread past its site, and seeing a thread that is in a slot where
 * it would have been without us.
 */
#ifndef BREAKPOINTS_STEP_H
#define BREAKPOINTS_STEP_H

#include "breakpoints/sites.h"

/*
 * The stopped thread trapped at site (its pc is behind the trap): sets its pc
 * so that it goes on with what the trap displaced. 0; -ESRCH; or another
 * error, with the pc set to the site's address and the byte put back: the
 * site is given up.
 */
must_check int step_past(struct sites *sites, struct site *site,
			 struct thread *thread);

/*
 * The stopped thread's pc may be in a slot: sets it to the original
 * instruction that it stands for. *ret_site is the site when nothing of its
 * displaced instructions was executed yet (the thread will trap there again),
 * else NULL. False where the pc is in no slot.
 */
bool step_unslot(struct sites *sites, struct thread *thread,
		 struct site **ret_site);

/*
 * Sends the stopped thread, whose pc is in a slot, on by one of its displaced
 * instructions before any signal can throw it back to the site: a STOP_STEP
 * follows (process/nudge.h). 0, -ESRCH, -EBUSY: not done.
 */
must_check int step_nudge(struct sites *sites, struct thread *thread);
/* Is the thread within a displaced call, of which a part is still to come? */
bool step_unfinished(struct sites *sites, struct thread *thread);

/* The address that pc stands for: itself, or behind a slot the original. */
addr_t step_original_pc(const struct sites *sites, addr_t pc);

#endif
