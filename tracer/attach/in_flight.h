/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls in flight: traced functions that are on the stacks of a process's
 * threads already when we attach.
 */
#ifndef TRACER_ATTACH_IN_FLIGHT_H
#define TRACER_ATTACH_IN_FLIGHT_H

#include "tracer/model/session.h"

/*
 * Tells of those, as begun before us, and waits for their return. What is to
 * be traced in the program is planned by now. A thread that runs is stopped
 * while its stack is read, one that blocks is not. 0 or -ESRCH.
 */
must_check int in_flight_find(struct program *program, struct process *process);

#endif
