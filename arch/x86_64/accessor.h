/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An accessor is a small exported function that hands out a field of a struct
 * which nobody else knows the layout of: mysql_errno(), PQresultStatus(). What
 * it would return is found by reading its code and doing to the tracee's
 * memory what that does, without running anything: the layout is whatever
 * this build of the library has.
 */
#ifndef ARCH_X86_64_ACCESSOR_H
#define ARCH_X86_64_ACCESSOR_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdint.h>

#define ACCESSOR_ARGUMENTS_MOST 3

/*
 * What rax holds when the function at entry, called with these arguments, has
 * returned. memory is read, never written. -ENOTSUP where the code does what
 * only a processor should (it writes, calls, loops for long), -EFAULT where
 * something cannot be read.
 */
must_check int accessor_run(struct reader *memory, addr_t entry,
			    const uint64_t *arguments, unsigned count,
			    uint64_t *ret_result);

#endif
