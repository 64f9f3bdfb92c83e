/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stub is code that makes a stopped thread do system calls for us and then
 * puts the thread right by itself, registers and signal mask: immediates only,
 * no stack, flags intact. Once the thread's pc is in it, it comes back to where
 * it was whatever happens to us.
 */
#ifndef ARCH_X86_64_STUB_H
#define ARCH_X86_64_STUB_H

#include "arch/regs.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STUB_CALLS 4
#define STUB_ROOM 448

/* One system call by its x86-64 number (syscall(2)). */
struct stub_call {
	long number;
	uint64_t arguments[6];
};

/*
 * Code for the calls in order, then for the signal mask, then for all of
 * resume's registers that a system call changes, then a jump to its pc. How
 * many bytes of to it took; count is at most STUB_CALLS, to has STUB_ROOM
 * bytes. It runs at any address.
 */
size_t stub_build(const struct stub_call *calls, size_t count,
		  const struct regs *resume, uint64_t mask, uint8_t *to);

/*
 * For a thread whose registers (in and out) are those of a moment within such
 * code, at bytes into it, of a stub of which nobody waits for the end: what it
 * resumes with, and its signal mask. Its calls that are still to come are left
 * out. False where there is no such code.
 */
must_check bool stub_end(const uint8_t *stub, size_t have, size_t at,
			 struct regs *regs, uint64_t *ret_mask);

#endif
