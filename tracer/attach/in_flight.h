/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in flight: traced functions that are already on the stacks of a
 * process's threads when xtrace attaches.
 */
#ifndef TRACER_ATTACH_IN_FLIGHT_H
#define TRACER_ATTACH_IN_FLIGHT_H

#include "tracer/model/session.h"

/*
 * Reports the calls in flight and plants traps at their returns. The caller has
 * planned what to trace in the program. A thread that runs is stopped while its
 * stack is read; a thread that blocks is not. 0 or -ESRCH.
 */
must_check int in_flight_find(struct program *program, struct process *process);

#endif
