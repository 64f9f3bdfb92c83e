/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one instruction does to the general registers, as far as it matters to
 * those who ask where an argument came from. Registers have DWARF's numbers
 * (psABI, figure 3.36): rax rdx rcx rbx rsi rdi rbp rsp r8 ... r15.
 */
#ifndef ARCH_X86_64_EFFECT_H
#define ARCH_X86_64_EFFECT_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EFFECT_RBX 3u
#define EFFECT_RBP 6u
#define EFFECT_RSP 7u
#define EFFECT_NOWHERE 16u /* no register: an absolute address */

enum effect_kind {
	EFFECT_OTHER,
	EFFECT_CONSTANT, /* to = number */
	EFFECT_COPY,	 /* to = the low size bytes of from */
	EFFECT_ADDRESS,	 /* to = from + number */
	EFFECT_LOAD,	 /* to = size bytes at from + number */
	EFFECT_STORE,	 /* size bytes at from + number = the register to */
	EFFECT_POP,	 /* to = what lies at rsp */
};

struct insn_effect {
	enum effect_kind kind;
	uint32_t writes; /* a bit for each register */
	unsigned to, from;
	int64_t number;
	unsigned size;	/* 4 or 8; what is smaller than to is extended ... */
	bool is_signed; /* ... by its sign, or by zeros */
	/* Its memory operand, of any kind, if it is base + number. */
	bool memory;
	unsigned base;
	int64_t distance;
};

/* Of the instruction at address `at`: 0 or -EINVAL. */
must_check int insn_effect(const uint8_t *bytes, size_t have, addr_t at,
			   struct insn_effect *ret_effect);

#endif
