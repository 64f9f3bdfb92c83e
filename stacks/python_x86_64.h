/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What CPython's evaluation loop says by its machine code, and what a thread
 * that runs its first instructions has in its registers. */
#ifndef STACKS_PYTHON_X86_64_H
#define STACKS_PYTHON_X86_64_H

#include "arch/regs.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The instructions between that which makes a record of the loop's own stack
 * frame the thread's, and the last that fills two words of the record: from
 * the end of the first to the end of the second, counted from the loop.
 */
struct python_window {
	uint32_t begin, end; /* 0 and 0 if it is not known */
};

/*
 * The loop at `loop` stores the address of its record at `field` of the
 * thread's state; the two words begin at `words` of the record. Reads at most
 * `most` bytes of code. False if the code has no such instructions.
 */
must_check bool python_window_find(struct reader *memory, addr_t loop,
				   size_t most, int64_t field, int64_t words,
				   struct python_window *ret_window);

#define PYTHON_REGISTERS 15u

/* The general registers except rsp; those that a function does not have to
 * preserve for its caller come first (psABI 3.2.1). */
void python_registers(const struct regs *regs,
		      uint64_t values[PYTHON_REGISTERS]);

#endif
