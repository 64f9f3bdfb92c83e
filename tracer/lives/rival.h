/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread has one tracer. When the program is a debugger and wants a process
 * that we trace, it gets it: we let go of that process, as if we had never been
 * there.
 */
#ifndef TRACER_LIVES_RIVAL_H
#define TRACER_LIVES_RIVAL_H

#include "base/attr.h"

struct moment;

/* The thread enters ptrace(): 0, -ESRCH, GUARDS_LET_GO. */
must_check int rival_enter(struct moment *moment);

#endif
