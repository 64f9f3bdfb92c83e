/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one instruction does to the general registers. Registers have DWARF
 * numbers (psABI, figure 3.36): rax rdx rcx rbx rsi rdi rbp rsp r8 ... r15.
 */
#ifndef ARCH_X86_64_INSN_EFFECT_H
#define ARCH_X86_64_INSN_EFFECT_H

#include "arch/code.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EFFECT_RBX 3u
#define EFFECT_RBP 6u
#define EFFECT_RSP 7u

/* The effect of the instruction at address `at`. 0 or -EINVAL. */
must_check int insn_effect(const uint8_t *bytes, size_t have, addr_t at,
			   struct insn_effect *ret_effect);

/* An instruction's kind and effect: instruction() of struct arch_code. */
must_check int x86_64_instruction(const struct code *code,
				  struct instruction *ret_instruction);

#endif
