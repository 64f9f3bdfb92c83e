/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An accessor is a small exported function that hands out a field of a struct
 * which nobody else knows the layout of: mysql_errno(), PQresultStatus(). What
 * it would return is found by reading its code and doing to the tracee's
 * memory what that does, without running anything: the layout is whatever
 * this build of the library has. The contract is in arch/code.h.
 */
#ifndef ARCH_X86_64_ACCESSOR_H
#define ARCH_X86_64_ACCESSOR_H

#include "arch/code.h"

must_check int x86_64_accessor(struct reader *memory, addr_t entry,
			       const uint64_t *arguments, unsigned count,
			       uint64_t *ret_result);

#endif
