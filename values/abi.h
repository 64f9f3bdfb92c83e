/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling convention: in which registers, or where on the stack, a
 * caller puts each argument, and where the result comes back. One file per
 * CPU implements it; nothing above knows a register's name.
 */
#ifndef VALUES_ABI_H
#define VALUES_ABI_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

struct proto;
struct registers;
struct type;

/* Bytes that registers can hold of one value, at most. */
#define ABI_REGISTER_BYTES 32

enum abi_bank {
	ABI_INTEGER, /* a general register, 8 bytes */
	ABI_VECTOR,  /* a vector register, its low 8 bytes or all 16 */
	ABI_X87,     /* an x87 register, 16 bytes as in memory */
};

/* Where one value is. */
struct abi_place {
	/* In memory: an argument stack bytes behind the first that lies on the
	 * stack, a result where the function says it is. */
	bool in_memory;
	size_t stack;
	/* In registers: the pieces of it in order, by bank and number; none
	 * where the value has no bytes and is not passed at all. */
	unsigned count;
	struct abi_part {
		unsigned char bank;
		unsigned char number;
		unsigned char offset; /* in the value, in bytes */
		unsigned char bytes;
	} parts[2];
};

/* What the arguments so far have used up. */
struct abi_cursor {
	unsigned integers;
	unsigned vectors;
	size_t stack;
};

/* Before the first argument of a function that returns this type. */
void abi_begin(struct abi_cursor *cursor, const struct type *returns);
/* The next argument's place. */
void abi_next(struct abi_cursor *cursor, const struct type *type,
	      struct abi_place *ret_place);
/* Where a result of this type is when the function has returned. */
void abi_result(const struct type *type, struct abi_place *ret_place);

/*
 * The bytes of a value that is in registers, as they would lie in memory:
 * into to, which has room for ABI_REGISTER_BYTES. registers are those at the
 * function's entry for an argument, behind the call for a result. -EFAULT
 * where they cannot be had.
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
