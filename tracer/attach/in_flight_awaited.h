/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * At an attach, finds out what a thread waits for if it is in no probed
 * function, by calling `blocks` of struct rooms.
 */
#ifndef TRACER_ATTACH_IN_FLIGHT_AWAITED_H
#define TRACER_ATTACH_IN_FLIGHT_AWAITED_H

#include "arch/regs.h"

struct program;
struct thread;

/* Asks `blocks` about a thread that is stopped in the system call of this
 * number
 * (-1: in none). */
void in_flight_awaited(struct program *program, struct thread *thread,
		       const struct regs *regs, long number);
/* Asks `blocks` about a thread that is not stopped. */
void in_flight_awaited_by(struct program *program, struct thread *thread);

#endif
