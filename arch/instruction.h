/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one instruction is and does, as far as it matters to code that follows
 * values from register to register. Registers have DWARF numbers (struct
 * arch_dwarf).
 */
#ifndef ARCH_INSTRUCTION_H
#define ARCH_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum insn_kind {
	/* execution continues with the next instruction; no pc-relative
	 * operand */
	INSN_PLAIN,
	/* execution continues with the next instruction; a pc-relative
	 * operand */
	INSN_PC_RELATIVE,
	/* an instruction without effect, such as a no-op or a landing pad */
	INSN_NOTHING,
	INSN_JUMP, /* a jump to an address in the instruction */
	/* a jump to an address in a register or in memory */
	INSN_JUMP_INDIRECT,
	/* a jump to an address in a word, which is pc-relative */
	INSN_JUMP_WORD,
	INSN_BRANCH, /* a conditional jump */
	INSN_LOOP,   /* a branch that counts or tests a register */
	/* calls; the target of each is given as that of the jump with the same
	 * ending */
	INSN_CALL,
	INSN_CALL_INDIRECT,
	INSN_CALL_WORD,
	INSN_RETURN,
	INSN_SYSCALL,	 /* enters the kernel */
	INSN_TRAP,	 /* raises a signal */
	INSN_OTHER_FLOW, /* other changes of the pc; must not be displaced */
	INSN_KINDS
};

/* No register: the address is absolute. */
#define NO_REGISTER (~0u)

enum effect_kind {
	EFFECT_OTHER,
	EFFECT_CONSTANT, /* to = number */
	EFFECT_COPY,	 /* to = the low size bytes of from */
	EFFECT_ADDRESS,	 /* to = from + number */
	EFFECT_LOAD,	 /* to = size bytes at from + number */
	EFFECT_STORE,	 /* size bytes at from + number = the register to */
	EFFECT_POP,	 /* to = the word at the stack pointer */
};

/* All numbers of registers in an effect are less than EFFECT_REGISTERS. */
#define EFFECT_REGISTERS 32u

struct insn_effect {
	enum effect_kind kind;
	uint32_t writes; /* a bit for each register that is changed */
	unsigned to, from;
	int64_t number;
	unsigned size; /* how many bytes are moved: 4 or 8 */
	/* a smaller value is extended with its sign, or with zeros */
	bool is_signed;
	/* The instruction's memory operand, if it is base + number. */
	bool memory;
	unsigned base;
	int64_t distance;
};

struct instruction {
	enum insn_kind kind;
	uint8_t length; /* the instruction's length in bytes */
	struct insn_effect effect;
};

/* Does execution continue with the next instruction in memory? */
static inline bool
instruction_falls_through(const struct instruction *instruction)
{
	return instruction->kind == INSN_PLAIN ||
	       instruction->kind == INSN_PC_RELATIVE ||
	       instruction->kind == INSN_NOTHING;
}

#endif
