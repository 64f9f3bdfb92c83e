/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP action of a space with a home: ours stands in the kernel, the
 * program's own in the home's header, from where our handler passes on what is
 * not a trap of ours. A program that sets its own pushes ours out of the
 * kernel, and so does the kernel when a thread that blocks or ignores SIGTRAP
 * runs into a trap.
 */
#ifndef BREAKPOINTS_ACTION_H
#define BREAKPOINTS_ACTION_H

#include "breakpoints/sites.h"

#include <signal.h>

/*
 * The program may have set an action: takes it for its own, and puts ours in
 * front again. Through the stopped thread. asked: the handler that it has just
 * asked for and a trap may have reset, or NULL; *ret_reset whether one has. 0,
 * -ENOENT without a home, or why not (remote_run).
 */
must_check int action_claim(struct sites *sites, struct thread *thread,
			    const uint64_t *asked, bool *ret_reset);

/* The kernel has reset the action: ours stands again. As above. */
must_check int action_restore(struct sites *sites, struct thread *thread);

/* A SIGTRAP of the program's own, which the stopped thread blocks, waits for it
 * as before, with what it told: the thread sends it to itself, as nobody else
 * may (rt_tgsigqueueinfo(2)). As above. */
must_check int action_send_again(struct sites *sites, struct thread *thread,
				 const siginfo_t *info);

/* The program's own, which our handler may have changed (SA_RESETHAND). As
 * above, without a thread. */
must_check int action_of_program(struct sites *sites,
				 struct inside_action *ret_action);

/* As clone3(2) has it with CLONE_CLEAR_SIGHAND, in a copy of the memory: the
 * program has no handler, and may still ignore SIGTRAP. Ours does not stand
 * yet. As above, without a thread. */
must_check int action_clear(struct sites *sites);

#endif
