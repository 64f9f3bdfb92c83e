/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPython's evaluation loop in machine code, from 3.11 to 3.12. The loop makes
 * a record (_PyCFrame) in its own stack frame. The code tells when the record
 * becomes the thread's, when it is filled, and where the caller's record is
 * meanwhile.
 */
#ifndef STACKS_PYTHON_CODE_H
#define STACKS_PYTHON_CODE_H

#include "arch/arch.h"
#include "arch/regs.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stdint.h>

/* How many bytes of the evaluation loop (_PyEval_EvalFrameDefault) are read. */
#define PYTHON_LOOP_BEGINNING 256u

/* The evaluation loop is a function. Its arguments are the thread's state and
 * the new frame. */
struct python_code {
	const struct arch *arch;
	addr_t loop;
	int64_t state_record; /* offset of the record's address in a state */
	int64_t record_words; /* where a record has its frame, and behind that
				 the address of the record before it */
	int64_t frame_back;   /* offset of the calling frame in a frame */
};

/*
 * The window is the part of the evaluation loop in which the record is the
 * thread's already, but is not filled. It begins behind the instruction that
 * makes the record the thread's, and ends behind the last instruction that
 * fills the two words of the record. Both places are offsets in the loop.
 */
struct python_window {
	uint32_t begin, end; /* both are 0 if the window is not known */
};

/* Finds the window in the code of the evaluation loop. Returns false if the
 * loop has no instructions that make and fill a record. */
must_check bool python_window_find(struct reader *memory,
				   const struct python_code *code,
				   struct python_window *ret_window);

enum python_held {
	PYTHON_HELD_NOTHING,
	PYTHON_HELD_RECORD, /* the address of the caller's record */
	PYTHON_HELD_CALLER, /* the address of the caller's frame */
	PYTHON_HELD_FRAME,  /* the address of the new frame, which points to the
			     * caller's */
};

/*
 * For a thread whose pc is in the window: finds a register that leads to the
 * caller's frame; *ret_value is its value. Returns PYTHON_HELD_NOTHING if no
 * register does, or if the register for the thread's state has another value:
 * then regs may be incomplete (process/observation.h).
 */
enum python_held python_window_held(struct reader *memory,
				    const struct python_code *code,
				    const struct regs *regs, addr_t state,
				    addr_t *ret_value);

#endif
