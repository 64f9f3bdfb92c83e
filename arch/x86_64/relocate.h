/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relocation of x86-64 instructions. The contracts are in arch/arch.h. */
#ifndef ARCH_X86_64_RELOCATE_H
#define ARCH_X86_64_RELOCATE_H

#include "arch/code.h"
#include "arch/relocated.h"

must_check int x86_64_relocate(const struct code *from, addr_t slot,
			       const struct relocate_limits *limits,
			       struct relocated *ret_slot,
			       const char **ret_why);

bool x86_64_shows_stepping(const uint8_t *instruction);

#endif
