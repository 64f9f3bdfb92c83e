/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling convention of one kind of program, for values/abi.h. Each file
 * abi_NAME_CPU.c defines one constant struct abi.
 */
#ifndef VALUES_ABI_PARTS_H
#define VALUES_ABI_PARTS_H

#include "values/abi.h"

#include <stdint.h>

struct abi {
	/* The place of a result, as in abi_result(). *ret_place is empty. */
	void (*result)(const struct type *type, struct abi_place *ret_place);
	/* Sets the cursor before the first argument. `hidden`: the function
	 * gets the address for its result. The cursor is empty. */
	void (*begin)(struct abi_cursor *cursor, bool hidden);
	/* As abi_ask(). NULL: attributes have no meaning. */
	void (*ask)(struct abi_cursor *cursor, const struct proto *proto);
	/* As abi_next(). *ret_place is empty. */
	void (*next)(struct abi_cursor *cursor, const struct type *type,
		     struct abi_place *ret_place);
	/* The value of the general register with the number of an ABI_INTEGER
	 * part. `result`: the part belongs to the result. */
	uint64_t (*integer)(const struct registers *registers, unsigned number,
			    bool result);
	uint8_t word; /* the size of a general register, in bytes */
	/* The address of a result in memory: the integer result. */
	addr_t (*result_address)(const struct registers *registers);
};

/* The convention of a kind of program; arch may be NULL, as in abi_begin().
 * The file of xtrace's own CPU defines it. */
const struct abi *abi_of(const struct arch *arch);

/* Copies a part in a vector register, or in an x87 register, to `to`. The file
 * of xtrace's own CPU defines it, because ptrace(2) gives these registers of
 * all kinds of programs in one form. 0 or -EFAULT. */
must_check int abi_load_wide(const struct abi_part *part,
			     struct registers *registers, char *to);

#endif
