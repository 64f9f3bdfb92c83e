/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls, recognized by the bytes before and behind their return address. The
 * contracts are in arch/code.h. */
#ifndef ARCH_X86_64_CALLER_H
#define ARCH_X86_64_CALLER_H

#include "arch/code.h"

enum caller x86_64_caller(struct reader *memory, addr_t return_address,
			  addr_t function);
addr_t x86_64_called(struct reader *memory, addr_t return_address);

#endif
