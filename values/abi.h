/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling convention: in which registers, or where on the stack, a caller
 * puts each argument, and where the function puts its result. One file for each
 * kind of program implements it (struct abi, values/abi_parts.h); the callers
 * of these functions know no register names.
 */
#ifndef VALUES_ABI_H
#define VALUES_ABI_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

struct abi;
struct arch;
struct proto;
struct registers;
struct type;

/* The most bytes of one value that registers hold. */
#define ABI_REGISTER_BYTES 32

enum abi_bank {
	ABI_INTEGER, /* a general register */
	ABI_VECTOR,  /* a vector register, its low 8 bytes or all 16 bytes */
	/* An x87 register, whose number is stored in the format of a float (4
	 * bytes), a double (8) or a long double. */
	ABI_X87,
};

/* Where one value is. */
struct abi_place {
	/* True: the value is in memory. An argument is then `stack` bytes
	 * behind the first argument on the stack. A result is where the
	 * returned address points. */
	bool in_memory;
	size_t stack;
	/* In registers: the parts of the value in order, by bank and number.
	 * None if the value has no bytes and is not passed at all. */
	unsigned count;
	struct abi_part {
		unsigned char bank;
		unsigned char number;
		unsigned char offset; /* offset in the value, in bytes */
		unsigned char bytes;
	} parts[3];
};

/* The registers and the stack space that the arguments so far have used. */
struct abi_cursor {
	const struct abi *abi;
	bool system_call;
	/* By the attributes of the function: how many words of the next
	 * arguments may be in registers, and whether only small ones are. */
	unsigned asked;
	bool fast;
	unsigned integers;
	unsigned vectors;
	size_t stack;
};

/* Sets the cursor before the first argument of a function that returns this
 * type, in a program of this kind. arch may be NULL: xtrace's own kind. */
void abi_begin(struct abi_cursor *cursor, const struct arch *arch,
	       const struct type *returns);
/* After abi_begin(): takes the attributes of the function (conf/model/proto).
 */
void abi_ask(struct abi_cursor *cursor, const struct proto *proto);
/* Sets the cursor before the first argument of a system call. */
void abi_begin_system_call(struct abi_cursor *cursor, const struct arch *arch);
/* The place of the next argument. */
void abi_next(struct abi_cursor *cursor, const struct type *type,
	      struct abi_place *ret_place);
/* The place of a result of this type after the function has returned. */
void abi_result(const struct arch *arch, const struct type *type,
		struct abi_place *ret_place);

/*
 * Copies a value that is in registers to `to`, as it would be in memory. `to`
 * has room for ABI_REGISTER_BYTES. registers are the registers at the
 * function's entry for an argument, and after the call for a result. Returns
 * -EFAULT if they are not available.
 */
must_check int abi_load_argument(const struct abi_place *place,
				 struct registers *registers, void *to);
must_check int abi_load_result(const struct abi_place *place,
			       struct registers *registers, void *to);

/* The address of a value that is in memory. */
addr_t abi_argument_address(const struct abi_place *place,
			    const struct registers *registers);
addr_t abi_result_address(const struct registers *registers);

#endif
