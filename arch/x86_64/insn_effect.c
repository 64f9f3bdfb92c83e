/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capstone knows an instruction's operands and which registers it writes. For
 * instructions that move a value this file tells which value; for all others
 * only which registers are written.
 */
#include "arch/x86_64/insn_effect.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/insn_parts.h"

#include <errno.h>

/* The number and size of a general register of 4 or 8 bytes, or of a part of
 * one (2 bytes or less: size 0); NO_REGISTER for others. */
static unsigned
general_register(x86_reg reg, unsigned *ret_size)
{
	/* For each register number, capstone's names of the register's low 8,
	 * 4, 2 and 1 bytes. */
	static const uint16_t names[16][4] = {
		{ X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL },
		{ X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL },
		{ X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL },
		{ X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL },
		{ X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL },
		{ X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL },
		{ X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL },
		{ X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL },
		{ X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B },
		{ X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B },
		{ X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B },
		{ X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B },
		{ X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B },
		{ X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B },
		{ X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B },
		{ X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B },
	};
	static const x86_reg high[] = { X86_REG_AH, X86_REG_DH, X86_REG_CH,
					X86_REG_BH };

	*ret_size = 0;
	for (unsigned n = 0; n < array_size(high); n++) {
		if (high[n] == reg)
			return n;
	}
	for (unsigned n = 0; n < array_size(names); n++) {
		for (unsigned k = 0; k < array_size(names[n]); k++) {
			if (names[n][k] != reg)
				continue;
			*ret_size = k == 0 ? 8 : k == 1 ? 4 : 0;
			return n;
		}
	}
	return NO_REGISTER;
}

/* The registers that a called function may overwrite (psABI 3.2.1). */
#define USED_BY_CALLS                                               \
	(~(1u << EFFECT_RBX | 1u << EFFECT_RBP | 1u << EFFECT_RSP | \
	   0xfu << 12) &                                            \
	 0xffffu)

static uint32_t
registers_written(const cs_insn *known)
{
	cs_regs writes = { 0 };
	uint8_t write_count = 0;
	uint32_t mask = 0;
	unsigned size;

	if (!insn_writes(known, writes, &write_count))
		return 0xffff;
	for (unsigned i = 0; i < write_count; i++) {
		unsigned number = general_register((x86_reg)writes[i], &size);

		if (number != NO_REGISTER)
			mask |= 1u << number;
	}
	if (known->id == X86_INS_CALL)
		mask = (mask & ~(1u << EFFECT_RSP)) | USED_BY_CALLS;
	if (known->id == X86_INS_SYSCALL)
		mask |= USED_BY_CALLS;
	return mask & 0xffff;
}

/* [base + distance] without an index or a segment. */
static bool
plain_memory(const cs_insn *known, const cs_x86_op *operand, unsigned *ret_base,
	     int64_t *ret_distance)
{
	const x86_op_mem *memory = &operand->mem;
	unsigned size;

	if (operand->type != X86_OP_MEM || memory->index != X86_REG_INVALID ||
	    memory->segment == X86_REG_FS || memory->segment == X86_REG_GS)
		return false;
	*ret_distance = memory->disp;
	*ret_base = NO_REGISTER;
	if (memory->base == X86_REG_RIP) {
		*ret_distance += (int64_t)(known->address + known->size);
		return true;
	}
	if (memory->base == X86_REG_INVALID)
		return true;
	*ret_base = general_register(memory->base, &size);
	return size == 8;
}

static void
take_move(const cs_x86 *x86, struct insn_effect *effect)
{
	const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
	unsigned size;

	if (to->type == X86_OP_REG && from->type == X86_OP_IMM) {
		effect->to = general_register(to->reg, &size);
		effect->number =
			size == 4 ? (int64_t)(uint32_t)from->imm : from->imm;
		effect->kind = size ? EFFECT_CONSTANT : EFFECT_OTHER;
	} else if (to->type == X86_OP_REG && from->type == X86_OP_REG) {
		effect->to = general_register(to->reg, &size);
		effect->from = general_register(from->reg, &effect->size);
		if (size && effect->size && effect->to < NO_REGISTER &&
		    effect->from < NO_REGISTER)
			effect->kind = EFFECT_COPY;
	} else if (to->type == X86_OP_REG && effect->memory) {
		effect->to = general_register(to->reg, &size);
		effect->size = from->size;
		if (size && (from->size == 4 || from->size == 8))
			effect->kind = EFFECT_LOAD;
	} else if (from->type == X86_OP_REG && effect->memory) {
		effect->to = general_register(from->reg, &effect->size);
		if (effect->size && effect->to < NO_REGISTER)
			effect->kind = EFFECT_STORE;
	}
}

static void
take_kind(const cs_insn *known, struct insn_effect *effect)
{
	const cs_x86 *x86 = &known->detail->x86;
	const cs_x86_op *operand = x86->operands;
	unsigned size;

	switch (known->id) {
	case X86_INS_MOVSXD:
		effect->is_signed = true;
		/* fallthrough */
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		if (x86->op_count == 2)
			take_move(x86, effect);
		break;
	case X86_INS_LEA:
		effect->to = general_register(operand[0].reg, &size);
		if (size == 8 && effect->memory)
			effect->kind = effect->base == NO_REGISTER
					       ? EFFECT_CONSTANT
					       : EFFECT_ADDRESS;
		break;
	case X86_INS_XOR:
		if (x86->op_count == 2 && operand[0].type == X86_OP_REG &&
		    operand[1].type == X86_OP_REG &&
		    operand[0].reg == operand[1].reg) {
			effect->to = general_register(operand[0].reg, &size);
			effect->kind = size ? EFFECT_CONSTANT : EFFECT_OTHER;
		}
		break;
	case X86_INS_POP:
		if (operand[0].type == X86_OP_REG) {
			effect->to = general_register(operand[0].reg, &size);
			effect->kind = effect->to == NO_REGISTER ? EFFECT_OTHER
								 : EFFECT_POP;
		}
		break;
	default:
		break;
	}
	if (effect->memory &&
	    (effect->kind == EFFECT_ADDRESS || effect->kind == EFFECT_LOAD ||
	     effect->kind == EFFECT_STORE || known->id == X86_INS_LEA)) {
		effect->from = effect->base;
		effect->number = effect->distance;
	}
}

int
insn_effect(const uint8_t *bytes, size_t have, addr_t at,
	    struct insn_effect *ret_effect)
{
	const struct code code = { bytes, have, at };
	const cs_insn *known = insn_disassemble(INSN_MODE_64, &code);
	struct insn_effect effect = { 0 };

	if (!known)
		return -EINVAL;
	effect.writes = registers_written(known);
	for (unsigned i = 0; i < known->detail->x86.op_count; i++) {
		if (plain_memory(known, &known->detail->x86.operands[i],
				 &effect.base, &effect.distance))
			effect.memory = true;
	}
	take_kind(known, &effect);
	*ret_effect = effect;
	return 0;
}

int
x86_64_instruction(const struct code *code, struct instruction *ret_instruction)
{
	struct insn insn;
	int r = insn_decode(code->bytes, code->length, code->at, &insn);

	if (r == 0)
		r = insn_effect(code->bytes, code->length, code->at,
				&ret_instruction->effect);
	if (r < 0)
		return r;
	ret_instruction->kind = insn.kind;
	ret_instruction->length = insn.length;
	return 0;
}
