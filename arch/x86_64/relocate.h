/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Relocation of x86 instructions. The contracts are in arch/arch.h. */
#ifndef ARCH_X86_64_RELOCATE_H
#define ARCH_X86_64_RELOCATE_H

#include "arch/code.h"
#include "arch/relocated.h"
#include "arch/x86_64/insn.h"

/* Relocates code of this mode as relocate() of struct arch does. */
must_check int relocate_in(enum insn_mode mode, const struct code *from,
			   addr_t slot, const struct relocate_limits *limits,
			   struct relocated *ret_slot, const char **ret_why);
must_check int x86_64_relocate(const struct code *from, addr_t slot,
			       const struct relocate_limits *limits,
			       struct relocated *ret_slot,
			       const char **ret_why);

bool x86_64_shows_stepping(const uint8_t *instruction);

#endif
