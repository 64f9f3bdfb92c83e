/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks on x86-64. The contracts are in arch/jump.h and arch/check.h. */
#ifndef ARCH_X86_64_CHECK_H
#define ARCH_X86_64_CHECK_H

#include "arch/check.h"
#include "arch/code.h"
#include "arch/regs.h"

must_check int x86_64_check(const struct code *from,
			    const struct check_condition *conditions,
			    size_t count, addr_t at, struct check *ret_check);

must_check bool x86_64_check_undo(const struct check *check, size_t offset,
				  struct reader *memory, struct regs *regs);

#endif
