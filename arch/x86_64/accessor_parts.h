/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The machine that follows an accessor's code (arch/x86_64/accessor): its
 * registers and flags, of which each is unknown until it is set, and the
 * operands of one instruction. -ENOTSUP: needs something unknown, or is not
 * supported; -EFAULT: the memory cannot be read.
 */
#ifndef ARCH_X86_64_ACCESSOR_PARTS_H
#define ARCH_X86_64_ACCESSOR_PARTS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INSTRUCTION_MOST 16

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* The most words that an accessor may put on its stack. */
#define STACK_WORDS 16

struct machine {
	struct reader *memory;
	uint64_t regs[16];
	uint16_t known; /* a bit for each register whose value is known */
	/* The stack since the function's entry: only push and pop use it. */
	uint64_t stack[STACK_WORDS];
	uint16_t stack_known; /* a bit for each word whose value is known */
	unsigned depth;	      /* number of words on the stack */
	addr_t pc;
	bool zero, sign, carry, overflow;
	bool flags_known;
	bool done;
};

/* One instruction while it is taken apart. */
struct decoding {
	unsigned char bytes[INSTRUCTION_MOST];
	size_t have, at;
	bool wide; /* REX.W */
	unsigned rex;
	bool has_rex;
	bool bad; /* the code ended within the instruction */
	/* The fields of a ModRM byte. */
	unsigned reg;
	unsigned rm;
	bool in_memory;
	bool rip; /* address is relative to the instruction's end */
	addr_t address;
};

enum sum { ADD, OR, ADC, SBB, AND, SUB, XOR, CMP };

/* Cuts the value to its low `size` bytes. */
static inline uint64_t
cut(uint64_t value, unsigned size)
{
	return size == 8 ? value : value & ((UINT64_C(1) << (8 * size)) - 1);
}

/* The operand size in bytes. */
static inline unsigned
width(const struct decoding *d)
{
	return d->wide ? 8 : 4;
}

bool machine_known(const struct machine *m, unsigned reg);
void machine_set(struct machine *m, unsigned reg, uint64_t value);
/* Reads the low `size` bytes of a register. */
must_check int machine_read(const struct machine *m, const struct decoding *d,
			    unsigned reg, unsigned size, uint64_t *ret_value);
/* Push the register, known or not, on the machine's own stack, and pop it from
 * there. -ENOTSUP if the stack is full or empty, and for the stack pointer. */
must_check int machine_push(struct machine *m, unsigned reg);
must_check int machine_pop(struct machine *m, unsigned reg);
/* Computes the result, which has `size` bytes, and sets the flags. Not for ADC
 * and SBB. */
uint64_t machine_reckon(struct machine *m, enum sum sum, uint64_t a, uint64_t b,
			unsigned size);
/* Does the condition hold? Its number is the low four bits of a jcc, cmovcc or
 * setcc. */
must_check int machine_holds(const struct machine *m, unsigned condition,
			     bool *ret_holds);

/* decoding_byte() takes the next byte. decoding_signed() takes a signed number
 * of `size` bytes, 1 or 4. If the code has no more bytes, d->bad is set. */
unsigned decoding_byte(struct decoding *d);
int64_t decoding_signed(struct decoding *d, unsigned size);
/* Takes the ModRM byte, the SIB byte and the displacement. False if the address
 * needs an unknown register. */
must_check bool decoding_modrm(struct machine *m, struct decoding *d);

/* The address that the ModRM byte names, and the low `size` bytes of the memory
 * or register that it names. Valid only after the whole instruction was taken
 * and m->pc was set to its end. */
addr_t operand_address(const struct machine *m, const struct decoding *d);
must_check int operand_read(struct machine *m, const struct decoding *d,
			    unsigned size, uint64_t *ret_value);

#endif
