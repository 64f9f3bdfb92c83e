/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jumps in a piece of code. The contract is in arch/code.h. */
#ifndef ARCH_X86_64_BRANCH_H
#define ARCH_X86_64_BRANCH_H

#include "arch/code.h"

bool x86_64_may_jump_to(const struct code *code, addr_t target);

#endif
