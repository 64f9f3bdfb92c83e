/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An operand says where a value is at one place in the code. Notes about SDT
 * probes write it as an assembler does: "-4@%eax", "8@-24(%rbp)",
 * "8@sym+8(%rip)". The form is described in SystemTap's
 * "UserSpaceProbeImplementation" and in gdb's stap-probe.c.
 */
#ifndef ARCH_OPERAND_H
#define ARCH_OPERAND_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum operand_kind {
	OPERAND_CONSTANT, /* `number`, and the symbol's address */
	OPERAND_REGISTER, /* the general register `base` */
	OPERAND_VECTOR,	  /* the vector register number `base` */
	OPERAND_MEMORY,	  /* at number + symbol + base + index * scale */
};

/* The value of `base` if the operand has no base, and of `index` if it has
 * none. */
#define OPERAND_NOTHING (~0u)

struct operand {
	enum operand_kind kind;
	unsigned char bytes; /* size of the value: 1, 2, 4 or 8 */
	bool is_signed;
	bool real; /* a floating-point number */
	int64_t number;
	/* The base and index registers, by DWARF's numbers. */
	unsigned base, index;
	unsigned scale;
	/* of OPERAND_REGISTER: at which bit of the register the value begins */
	unsigned shift;
	bool of_thread; /* OPERAND_MEMORY: relative to the thread pointer */
	/* A symbol of the module, not terminated; NULL: none. */
	const char *symbol;
	size_t symbol_length;
};

/*
 * Takes the next operand of a note's list. *text is at the operand or at blanks
 * before it, and is moved to the end of the operand. Returns 1; 0 at the end of
 * the text; or -EINVAL if this CPU has no such operand. After -EINVAL *text is
 * moved, too, but of *ret_operand only `bytes` and `is_signed` are valid.
 */
struct arch;
must_check int operand_next(const struct arch *arch, const char **text,
			    struct operand *ret_operand);

#endif
