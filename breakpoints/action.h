/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP action of a space with a handler area. Our action is set in the
 * kernel. The program's own action is in the header of the handler area, and
 * our handler passes it the SIGTRAPs that our traps have not caused. Our
 * action is replaced if the program sets an action, and if a thread that blocks
 * or ignores SIGTRAP hits a trap, because the kernel then sets the default
 * action.
 */
#ifndef BREAKPOINTS_ACTION_H
#define BREAKPOINTS_ACTION_H

#include "breakpoints/sites.h"

#include <signal.h>

/*
 * Called when the program may have set an action: stores it as the program's,
 * and sets ours again, by system calls of the stopped thread. asked: the
 * handler that the program has just set and that a trap may have reset, or
 * NULL; *ret_reset tells whether a trap has reset it. Returns 0, -ENOENT
 * without a handler area, or the error of remote_run().
 */
must_check int action_claim(struct sites *sites, struct thread *thread,
			    const uint64_t *asked, bool *ret_reset);

/* Sets our action again after the kernel has reset it. Returns like
 * action_claim(). */
must_check int action_restore(struct sites *sites, struct thread *thread);

/* The stopped thread blocks SIGTRAP and had a SIGTRAP of the program pending,
 * which we have taken. Makes it pending again with the same siginfo: the thread
 * sends it to itself, because no other process may (rt_tgsigqueueinfo(2)).
 * Returns like action_claim(). */
must_check int action_send_again(struct sites *sites, struct thread *thread,
				 const siginfo_t *info);

/* Reads the program's action, which our handler may have changed
 * (SA_RESETHAND). Returns like action_claim(), and needs no thread. */
must_check int action_of_program(struct sites *sites,
				 struct inside_action *ret_action);

/* Notes that the program has no handler any more, and may still ignore SIGTRAP:
 * in a copy of the memory after clone3(2) with CLONE_CLEAR_SIGHAND. Our action
 * is not set yet. Returns like action_claim(), and needs no thread. */
must_check int action_clear(struct sites *sites);

#endif
