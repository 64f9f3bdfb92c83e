/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an argument of a call that has begun can be found still: what the
 * caller has put into the register before it called, and where the function
 * has put the register away when it began. Pure: from bytes to an origin. What
 * cannot be told for sure is not told.
 */
#ifndef ARCH_X86_64_ARGUMENT_H
#define ARCH_X86_64_ARGUMENT_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole function. */
struct function_code {
	const uint8_t *bytes;
	size_t length;
	addr_t at;
};

/* In place of a register: the number is an absolute address. */
#define ORIGIN_NOWHERE (~0u)

/* number, or reg + number, or what lies there; of a frame's registers, which
 * are those that a called function keeps, and the stack pointer. */
struct origin {
	enum { ORIGIN_CONSTANT, ORIGIN_REGISTER, ORIGIN_MEMORY } kind;
	unsigned reg; /* DWARF's number, or ORIGIN_NOWHERE */
	int64_t number;
	unsigned size; /* bytes of it that count: 4 or 8 */
	bool is_signed;
};

/* Integer argument i, 0 to 5, of the call that returns to return_address, by
 * the code of the caller and the registers of its frame. */
must_check bool argument_given(const struct function_code *caller,
			       addr_t return_address, unsigned i,
			       struct origin *ret_origin);

/* The same by the code of the function that was called, which is at pc now,
 * and the registers of its own frame. */
must_check bool argument_kept(const struct function_code *function, addr_t pc,
			      unsigned i, struct origin *ret_origin);

#endif
