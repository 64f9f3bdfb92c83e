/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread has one tracer. When the program is a debugger and wants a process
 * that we trace, it gets it: we let go of that process, as if we had never been
 * there.
 */
#ifndef TRACER_LIVES_OTHER_TRACER_H
#define TRACER_LIVES_OTHER_TRACER_H

#include "base/attr.h"

struct hit;

/* The thread enters ptrace(): 0, -ESRCH, GUARDS_LET_GO. */
must_check int other_tracer_enter(struct hit *hit);

#endif
