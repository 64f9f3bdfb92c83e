/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calling convention of i386 programs. The contract is in
 * values/abi_parts.h. */
#ifndef VALUES_ABI_SYSV_I386_H
#define VALUES_ABI_SYSV_I386_H

#include "values/abi_parts.h"

extern const struct abi abi_sysv_i386;

#endif
