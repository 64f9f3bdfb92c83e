/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The action of SIGTRAP in the kernel, set and read by a thread of the
 * program. */
#ifndef BREAKPOINTS_OUTLIVE_SIGACTION_H
#define BREAKPOINTS_OUTLIVE_SIGACTION_H

#include "breakpoints/outlive/survive.h"

/*
 * The stopped thread makes rt_sigaction(2) for SIGTRAP with the addresses of
 * two struct inside_action in the handler area; either may be 0. scratch is as
 * for remote_run(). Returns 0, or the error of remote_run() or of the call.
 */
must_check int survive_sigaction(struct survive *survive, struct table *table,
				 struct thread *thread, addr_t scratch,
				 addr_t action, addr_t before);

/* Writes the action to `to`, in the form that rt_sigaction(2) has in programs
 * of this kind. 0 or -errno. */
must_check int sigaction_write(struct space *space, addr_t to,
			       const struct inside_action *action);

#endif
