/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * CPython's evaluation loop as its machine code has it, from 3.11 to 3.12:
 * when the record that it makes of its own stack frame (_PyCFrame) becomes the
 * thread's, when that record is filled, and where the caller's is meanwhile.
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

/* As much of its code is read. */
#define PYTHON_LOOP_BEGINNING 256u

/* The loop is called with the thread's state and the new frame. */
struct python_code {
	const struct arch *arch;
	addr_t loop;
	int64_t state_record; /* where a state has the record's address */
	int64_t record_words; /* where a record has its frame, and behind that
				 the address of the record before it */
	int64_t frame_back;   /* where a frame has the one that called it */
};

/*
 * From behind the instruction which makes the record the thread's to behind
 * the last that fills its two words, counted from the loop.
 */
struct python_window {
	uint32_t begin, end; /* 0 and 0 if it is not known */
};

/* False if the code has no such instructions. */
must_check bool python_window_find(struct reader *memory,
				   const struct python_code *code,
				   struct python_window *ret_window);

enum python_held {
	PYTHON_HELD_NOTHING,
	PYTHON_HELD_RECORD, /* the address of the caller's record */
	PYTHON_HELD_CALLER, /* that of the caller's frame */
	PYTHON_HELD_FRAME,  /* that of the new frame, which leads to it */
};

/*
 * What a register of a thread in the window holds, and its value. Nothing, too,
 * if no register has the address of the thread's state where the code has it:
 * the registers may not be known (process/observation.h).
 */
enum python_held python_window_held(struct reader *memory,
				    const struct python_code *code,
				    const struct regs *regs, addr_t state,
				    addr_t *ret_value);

#endif
