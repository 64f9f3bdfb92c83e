/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code is bytes that are read as instructions, wherever the bytes are kept.
 * struct arch_code has the functions that read code without running it.
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

/* `length` bytes that are, or will be, at address `at` of a space. */
struct code {
	const uint8_t *bytes;
	size_t length;
	addr_t at;
};

/* Where a value in a frame comes from: it is a constant, number; or reg +
 * number; or in the memory at the address reg + number. The registers are the
 * stack pointer and the registers that a called function preserves, with the
 * values that they have in the frame. */
struct origin {
	enum { ORIGIN_CONSTANT, ORIGIN_REGISTER, ORIGIN_MEMORY } kind;
	unsigned reg; /* DWARF's number, or NO_REGISTER */
	int64_t number;
	unsigned size; /* how many bytes of the value are valid: 4 or 8 */
	bool is_signed;
};

/* What precedes a return address. */
enum caller {
	CALLER_NONE, /* no call instruction is before the address */
	/* perhaps a call instruction, of another or an unknown function */
	CALLER_OTHER,
	CALLER_OURS, /* certainly a call of the given function */
};

struct arch_code {
	/* Decodes an instruction. 0 or -EINVAL. */
	int (*instruction)(const struct code *code,
			   struct instruction *ret_instruction);
	/* Does the code perhaps contain a direct jump to target? Bytes that
	 * only look like such a jump count as well, because it is unknown where
	 * instructions begin. False is certain. */
	bool (*may_jump_to)(const struct code *code, addr_t target);

	/* Integer argument i, 0 to 5, of the call that returns to
	 * return_address. It is found in the caller's code, which must be a
	 * whole function, and refers to the registers of the caller's frame.
	 * False if it is not certain. */
	bool (*argument_given)(const struct code *caller, addr_t return_address,
			       unsigned i, struct origin *ret_origin);
	/* Integer argument i, 0 to 5, of the called function that is now at pc.
	 * It is found in the function's own code, and refers to the registers
	 * of the function's own frame. False if it is not certain. */
	bool (*argument_kept)(const struct code *function, addr_t pc,
			      unsigned i, struct origin *ret_origin);

	enum caller (*caller)(struct reader *memory, addr_t return_address,
			      addr_t function);
	/* The function that was entered by the call before return_address. The
	 * call instruction names the function or a stub that leads to it. 0 if
	 * it is unknown: a call through a register, or unreadable code. */
	addr_t (*called)(struct reader *memory, addr_t return_address);
	/* The nth address (from 0) of data that the first instructions of the
	 * function at entry name; 0 if there are no more. */
	addr_t (*data_address)(struct reader *memory, addr_t entry, size_t nth);

	/*
	 * What the function at entry would return for these arguments. Nothing
	 * is executed, and no memory is written. -ENOTSUP if the code cannot be
	 * interpreted (it writes memory, makes calls, loops for a long time);
	 * -EFAULT if something cannot be read.
	 */
	int (*accessor)(struct reader *memory, addr_t entry,
			const uint64_t *arguments, unsigned count,
			uint64_t *ret_result);
};

/* The most arguments of an accessor. */
#define ACCESSOR_ARGUMENTS_MOST 3

#endif
