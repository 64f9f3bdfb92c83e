/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread waits for if it is in no probed function: see `blocks` in
 * struct rooms.
 */
#ifndef TRACER_ATTACH_IN_FLIGHT_AWAITED_H
#define TRACER_ATTACH_IN_FLIGHT_AWAITED_H

#include "arch/regs.h"

struct program;
struct thread;

/* The thread is stopped, in the system call of this number. */
void in_flight_awaited(struct program *program, struct thread *thread,
		       const struct regs *regs, long number);
/* The thread runs, or blocks. */
void in_flight_awaited_by(struct program *program, struct thread *thread);

#endif
