/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stubs of x86-64 code. The contracts are in arch/arch.h. */
#ifndef ARCH_X86_64_STUB_H
#define ARCH_X86_64_STUB_H

#include "arch/code.h"
#include "arch/regs.h"
#include "arch/stub.h"

size_t x86_64_stub_build(const struct stub_call *calls, size_t count,
			 const struct regs *resume, uint64_t mask, addr_t at,
			 uint8_t *to);
must_check bool x86_64_stub_end(const struct code *stub, struct regs *regs,
				uint64_t *ret_mask);

#endif
