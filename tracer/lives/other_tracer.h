/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread has only one tracer. If the program is a debugger and asks for a
 * process that xtrace traces, xtrace lets that process go, as if it had never
 * traced it. A program that asks its parent to trace it is let go only if that
 * parent is a program that xtrace traces, too.
 */
#ifndef TRACER_LIVES_OTHER_TRACER_H
#define TRACER_LIVES_OTHER_TRACER_H

#include "base/attr.h"

struct hit;

/* The thread enters ptrace(). 0, -ESRCH, GUARDS_LET_GO. */
must_check int other_tracer_enter(struct hit *hit);

#endif
