/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls, by what is before and behind the address that they return to. The
 * contracts are in arch/code.h. */
#ifndef ARCH_X86_64_CALLER_H
#define ARCH_X86_64_CALLER_H

#include "arch/code.h"

enum caller x86_64_caller(struct reader *memory, addr_t return_address,
			  addr_t function);
addr_t x86_64_called(struct reader *memory, addr_t return_address);

#endif
