/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code is bytes that are read as instructions, wherever they are kept. What can
 * be learned from them without running them is a function of struct arch_code.
 */
#ifndef ARCH_CODE_H
#define ARCH_CODE_H

#include "arch/instruction.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `length` bytes that are, or would be, at address `at` of a space. */
struct code {
	const uint8_t *bytes;
	size_t length;
	addr_t at;
};

/* Where a value comes from: number, or reg + number, or what lies there. The
 * registers are those of a frame that a called function preserves, and the
 * stack pointer. */
struct origin {
	enum { ORIGIN_CONSTANT, ORIGIN_REGISTER, ORIGIN_MEMORY } kind;
	unsigned reg; /* DWARF's number, or NO_REGISTER */
	int64_t number;
	unsigned size; /* bytes of it that count: 4 or 8 */
	bool is_signed;
};

/* What is before an address that something returns to. */
enum caller {
	CALLER_NONE,  /* no call */
	CALLER_OTHER, /* maybe a call, of what cannot be told, or of another
			 function */
	CALLER_OURS,  /* a call of the function and of nothing else */
};

struct arch_code {
	/* What an instruction is and does: 0 or -EINVAL. */
	int (*instruction)(const struct code *code,
			   struct instruction *ret_instruction);
	/* May one of the bytes be in a jump to target that says itself where it
	 * goes? True also for bytes that only look so; false only if there is
	 * none. It is not known where instructions begin. */
	bool (*may_jump_to)(const struct code *code, addr_t target);

	/* Integer argument i, 0 to 5, of the call that returns to
	 * return_address, by the code of its caller, a whole function, and the
	 * registers of the caller's frame. False if it is not certain. */
	bool (*argument_given)(const struct code *caller, addr_t return_address,
			       unsigned i, struct origin *ret_origin);
	/* The same by the code of the function that was called, which is at pc
	 * now, and the registers of its own frame. */
	bool (*argument_kept)(const struct code *function, addr_t pc,
			      unsigned i, struct origin *ret_origin);

	enum caller (*caller)(struct reader *memory, addr_t return_address,
			      addr_t function);
	/* The function that the call before return_address has entered: the
	 * call says so itself, or the stub that it goes through. 0 if that
	 * cannot be told: a call through a register, code that cannot be
	 * read. */
	addr_t (*called)(struct reader *memory, addr_t return_address);
	/* The nth address, from 0, of data that the function at entry names
	 * among its first instructions; 0 if there are no more. */
	addr_t (*data_address)(struct reader *memory, addr_t entry, size_t nth);

	/*
	 * What the function at entry, called with these arguments, would
	 * return. Nothing is run and memory is not written. -ENOTSUP if the
	 * code does what only a processor should (it writes, calls, loops for
	 * long), -EFAULT if something cannot be read.
	 */
	int (*accessor)(struct reader *memory, addr_t entry,
			const uint64_t *arguments, unsigned count,
			uint64_t *ret_result);
};

/* Of an accessor's arguments, at most. */
#define ACCESSOR_ARGUMENTS_MOST 3

#endif
