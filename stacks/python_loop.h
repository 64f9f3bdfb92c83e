/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the current frame of a thread that runs the first instructions of
 * CPython's evaluation loop, in the versions in which a thread's state names
 * its frame by a record on the C stack (_PyCFrame, 3.11 and 3.12).
 */
#ifndef STACKS_PYTHON_LOOP_H
#define STACKS_PYTHON_LOOP_H

#include "arch/regs.h"
#include "base/addr.h"
#include "base/attr.h"
#include "stacks/peek.h"
#include "stacks/python_code.h"
#include "stacks/python_layout.h"

#include <stdbool.h>

struct python_loop {
	const struct python_layout *layout;
	struct peek *peek;
	addr_t code_type; /* PyCode_Type */
	/* its loop is 0 if the loop is not known */
	const struct python_code *code;
	struct python_window window;
	const struct regs *regs;
	addr_t state; /* the address of the thread's state */
};

/* The code object of a frame, 0 if the field contains something else. */
addr_t python_frame_code(struct peek *peek, const struct python_layout *layout,
			 addr_t code_type, addr_t frame);

/*
 * Stores the frame that the record names or, as long as the record is not
 * filled, the frame of the loop's caller: 0 if there is none. Returns false if
 * the frame cannot be found.
 */
must_check bool python_loop_frame(struct python_loop *loop, addr_t record,
				  addr_t *ret_frame);

#endif
