/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one instruction is and does, as far as it matters to code that follows
 * values from register to register. Registers have DWARF's numbers (struct
 * arch_dwarf).
 */
#ifndef ARCH_INSTRUCTION_H
#define ARCH_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum insn_kind {
	INSN_PLAIN,	    /* falls through, no pc-relative operand */
	INSN_PC_RELATIVE,   /* falls through, an operand relative to the pc */
	INSN_NOTHING,	    /* no operation, landing pads */
	INSN_JUMP,	    /* to an address that it says */
	INSN_JUMP_INDIRECT, /* to where a register or memory says */
	INSN_JUMP_SLOT,	    /* to where a word at a pc-relative address says */
	INSN_BRANCH,	    /* a jump on a condition */
	INSN_LOOP,	    /* a branch that counts a register, or tests it */
	INSN_CALL,	    /* calls, as the three jumps */
	INSN_CALL_INDIRECT,
	INSN_CALL_SLOT,
	INSN_RETURN,
	INSN_SYSCALL,	 /* enters the kernel */
	INSN_TRAP,	 /* raises a signal */
	INSN_OTHER_FLOW, /* leave alone */
	INSN_KINDS
};

/* In place of a register: an address is absolute. */
#define NO_REGISTER (~0u)

enum effect_kind {
	EFFECT_OTHER,
	EFFECT_CONSTANT, /* to = number */
	EFFECT_COPY,	 /* to = the low size bytes of from */
	EFFECT_ADDRESS,	 /* to = from + number */
	EFFECT_LOAD,	 /* to = size bytes at from + number */
	EFFECT_STORE,	 /* size bytes at from + number = the register to */
	EFFECT_POP,	 /* to = what lies at the stack pointer */
};

/* All registers that an effect names have lower numbers. */
#define EFFECT_REGISTERS 32u

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

struct instruction {
	enum insn_kind kind;
	uint8_t length; /* in bytes */
	struct insn_effect effect;
};

/* Is the next instruction in memory the one that runs next? */
static inline bool
instruction_falls_through(const struct instruction *instruction)
{
	return instruction->kind == INSN_PLAIN ||
	       instruction->kind == INSN_PC_RELATIVE ||
	       instruction->kind == INSN_NOTHING;
}

#endif
