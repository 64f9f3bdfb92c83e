/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code that makes rt_sigaction(2). The contract is in arch/arch.h. */
#ifndef ARCH_X86_64_SIGACTIONS_H
#define ARCH_X86_64_SIGACTIONS_H

#include "arch/code.h"

size_t x86_64_next_sigaction(const struct code *code, size_t from,
			     size_t *ret_next);

#endif
