/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of a call in flight, where they can be had still. */
#ifndef TRACER_ATTACH_IN_FLIGHT_ARGUMENTS_H
#define TRACER_ATTACH_IN_FLIGHT_ARGUMENTS_H

#include "stacks/native.h"
#include "tracer/report/report.h"

/* One frame of the two: where it is, and its registers. */
struct flight_frame {
	addr_t pc; /* of the caller: where the call returns to */
	const struct native_registers *registers;
};

/*
 * Fills moment->regs with the integer arguments that the code of the function
 * or of its caller lets one find, and takes their bits from moment->unknown.
 */
void in_flight_arguments(struct hit *hit, const struct flight_frame *function,
			 const struct flight_frame *caller);

#endif
