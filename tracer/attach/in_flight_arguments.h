/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of a call in flight, as far as they can still be found. */
#ifndef TRACER_ATTACH_IN_FLIGHT_ARGUMENTS_H
#define TRACER_ATTACH_IN_FLIGHT_ARGUMENTS_H

#include "process/status.h"
#include "stacks/native.h"
#include "tracer/report/report.h"

/* A frame of a call in flight: that of the called function, or its caller's. */
struct flight_frame {
	/* in the caller's frame: the address to which the call returns */
	addr_t pc;
	const struct native_registers *registers;
};

/*
 * Fills hit->regs with the integer arguments that the code of the function or
 * of its caller reveals, and clears their bits in hit->unknown.
 */
void in_flight_arguments(struct hit *hit, const struct flight_frame *function,
			 const struct flight_frame *caller);

/* As in_flight_arguments(), for a function that has the arguments of the system
 * call in which the thread blocks. */
void in_flight_of_system_call(struct hit *hit, const struct blocked *at);

/* Stores the number and the arguments of the system call that was interrupted
 * when a thread with these registers stopped, and that the kernel will continue
 * (process/restart). The number is -1 if there is none. */
void in_flight_interrupted(const struct program *program,
			   const struct regs *regs, struct blocked *ret_at);

#endif
