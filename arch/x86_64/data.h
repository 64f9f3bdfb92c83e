/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Data that a function names. The contract is in arch/code.h. */
#ifndef ARCH_X86_64_DATA_H
#define ARCH_X86_64_DATA_H

#include "arch/code.h"

addr_t x86_64_data_address(struct reader *memory, addr_t entry, size_t nth);

#endif
