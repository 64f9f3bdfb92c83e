/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An accessor is a small exported function that returns a field of a struct
 * with an undocumented layout: mysql_errno(), PQresultStatus(). xtrace finds
 * the result by interpreting the function's code on the tracee's memory,
 * without executing it. So it needs no description of the layout, which may
 * differ between builds of the library. The contract is in arch/code.h.
 */
#ifndef ARCH_X86_64_ACCESSOR_H
#define ARCH_X86_64_ACCESSOR_H

#include "arch/code.h"

must_check int x86_64_accessor(struct reader *memory, addr_t entry,
			       const uint64_t *arguments, unsigned count,
			       uint64_t *ret_result);

#endif
