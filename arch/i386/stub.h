/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stubs of i386 code. The contracts are in arch/arch.h. */
#ifndef ARCH_I386_STUB_H
#define ARCH_I386_STUB_H

#include "arch/code.h"
#include "arch/regs.h"
#include "arch/stub.h"

size_t i386_stub_build(const struct stub_call *calls, size_t count,
		       const struct regs *resume, uint64_t mask, addr_t at,
		       uint8_t *to);
bool i386_stub_end(const struct code *stub, struct regs *regs,
		   uint64_t *ret_mask);

#endif
