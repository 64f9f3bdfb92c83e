/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the first injected system calls are put, if no module has room. */
#ifndef TRACER_LOADER_SCRATCH_H
#define TRACER_LOADER_SCRATCH_H

#include "tracer/model/session.h"

/* Called when the program's first modules are known. If none of them has room
 * behind its text, the unused bytes at the end of the vdso are used. vdso is
 * the vdso's address (struct auxv), or 0. */
void scratch_find(struct program *program, addr_t vdso);

#endif
