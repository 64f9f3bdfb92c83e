/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of jumps.h share. */
#ifndef BREAKPOINTS_JUMPS_PARTS_H
#define BREAKPOINTS_JUMPS_PARTS_H

#include "breakpoints/jumps.h"
#include "process/maps.h"

static inline const struct arch_jump *
jumps_arch(const struct sites *sites)
{
	return sites->space->arch->jump;
}

/*
 * Makes and writes all code that the request's jump needs. The jump's own bytes
 * are computed, but not written. maps: the mappings of the process. Returns 0,
 * -ESRCH, or an error with request->why.
 */
must_check int jumps_build(struct sites *sites, const struct maps *maps,
			   struct jump_request *request,
			   struct jumping *jumping, struct thread *thread);

#endif
