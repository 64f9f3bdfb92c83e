/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of an instruction and the offset of its ModRM byte are in a table
 * (quick.c) for nearly every instruction where a trap is planted; capstone
 * tells them for the others. We read the kind of the instruction from the
 * opcode ourselves: it is a dozen cases, and capstone is vague about prefixes.
 * We use so little of capstone that its gaps can be filled (see length.c).
 *
 * With an operand-size prefix and no REX.W the near branches are 16 bits wide
 * on AMD's processors and 64 on Intel's, and even their lengths differ: they
 * are INSN_OTHER_FLOW. (Intel SDM 2, appendix A; AMD APM 3, 4.9, "Near branches
 * in 64-bit mode".)
 *
 * 32-bit code differs in few things (Intel SDM 2, 2.2.1, 2.3.5 and appendix A):
 * 40 to 4f are instructions, not prefixes; c4, c5 and 62 are prefixes only if
 * the byte behind them would describe two registers; operands are not relative
 * to the pc; and there are far calls and jumps with an address.
 */
#include "arch/x86_64/insn.h"

#include "arch/x86/int3.h"
#include "arch/x86_64/insn_parts.h"
#include "arch/x86_64/length.h"
#include "arch/x86_64/quick.h"

#include <errno.h>
#include <string.h>

static unsigned
legacy_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x66:
		return INSN_PREFIX_OPERAND;
	case 0x67:
		return INSN_PREFIX_ADDRESS;
	case 0xf2:
		return INSN_PREFIX_BND;
	case 0xf3:
		return INSN_PREFIX_REP;
	case 0xf0:
		return INSN_PREFIX_LOCK;
	case 0x64:
	case 0x65:
		return INSN_PREFIX_SEGMENT;
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
		return INSN_PREFIX_HINT;
	default:
		return 0;
	}
}

/* A REX prefix counts only right before the opcode (Intel SDM 2, 2.2.1). */
static void
read_prefixes(const uint8_t *bytes, size_t have, struct insn *insn)
{
	unsigned seen = 0, rex = 0;
	size_t i;

	for (i = 0; i < have && i < INSN_LONGEST; i++) {
		unsigned prefix = legacy_prefix(bytes[i]);

		if (prefix) {
			seen |= prefix;
			rex = 0;
			continue;
		}
		if (insn->mode == INSN_MODE_32 || (bytes[i] & 0xf0) != 0x40)
			break;
		rex = INSN_PREFIX_REX;
		if (bytes[i] & 8)
			rex |= INSN_PREFIX_REX_W;
	}
	insn->prefixes = (uint16_t)(seen | rex);
	insn->opcode_offset = (uint8_t)i;
}

static enum insn_kind
two_byte_kind(const uint8_t *opcode, const struct insn *insn)
{
	switch (opcode[1]) {
	case 0x80 ... 0x8f:
		return INSN_BRANCH;
	case 0x05:
	case 0x34:
		return INSN_SYSCALL;
	case 0x0b:
	case 0xb9:
	case 0xff:
		return INSN_TRAP;
	case 0x07:
	case 0x35:
		return INSN_OTHER_FLOW;
	case 0x1f:
		return INSN_NOTHING;
	case 0x1e:
		if (insn->prefixes & INSN_PREFIX_REP &&
		    (opcode[2] == 0xfa || opcode[2] == 0xfb))
			return INSN_NOTHING;
		return INSN_PLAIN;
	default:
		return INSN_PLAIN;
	}
}

/* The kind of an instruction with the opcode ff, by the middle three bits of
 * its ModRM byte. */
static enum insn_kind
group_5_kind(uint8_t modrm)
{
	switch (modrm >> 3 & 7) {
	case 2:
		return INSN_CALL_INDIRECT;
	case 4:
		return INSN_JUMP_INDIRECT;
	case 3:
	case 5:
		return INSN_OTHER_FLOW;
	default:
		return INSN_PLAIN;
	}
}

/* 90 is nop, but it also encodes xchg with r8 and pause. */
static enum insn_kind
nop_kind(const uint8_t *opcode, const struct insn *insn)
{
	bool other_register =
		insn->prefixes & INSN_PREFIX_REX && opcode[-1] & 1;

	if (other_register ||
	    insn->prefixes & (INSN_PREFIX_REP | INSN_PREFIX_LOCK))
		return INSN_PLAIN;
	return INSN_NOTHING;
}

static enum insn_kind
kind_of(const uint8_t *opcode, const struct insn *insn)
{
	switch (opcode[0]) {
	case 0x0f:
		return two_byte_kind(opcode, insn);
	case 0x70 ... 0x7f:
		return INSN_BRANCH;
	case 0x90:
		return nop_kind(opcode, insn);
	case 0xc2:
	case 0xc3:
		return INSN_RETURN;
	case 0xc7: /* c7 f8 is xbegin */
		return opcode[1] == 0xf8 ? INSN_OTHER_FLOW : INSN_PLAIN;
	/* a far call and a far jump, which do not exist in 64-bit code */
	case 0x9a:
	case 0xca:
	case 0xcb:
	case 0xcf:
	case 0xea:
		return INSN_OTHER_FLOW;
	case INT3:
	case 0xce: /* into, which does not exist in 64-bit code */
	case 0xf1:
	case 0xf4:
		return INSN_TRAP;
	case 0xcd:
		return INSN_SYSCALL;
	case 0xe0 ... 0xe3:
		return INSN_LOOP;
	case 0xe8:
		return INSN_CALL;
	case 0xe9:
	case 0xeb:
		return INSN_JUMP;
	case 0xff:
		return group_5_kind(opcode[1]);
	default:
		return INSN_PLAIN;
	}
}

static bool
width_is_sixteen(const struct insn *insn)
{
	return insn->prefixes & INSN_PREFIX_OPERAND &&
	       !(insn->prefixes & INSN_PREFIX_REX_W);
}

/* The target of a relative branch. Its displacement is the last part of the
 * instruction. */
static addr_t
branch_target(const uint8_t *bytes, addr_t at, const struct insn *insn)
{
	addr_t end = at + insn->length;
	uint8_t opcode = bytes[insn->opcode_offset];
	int32_t distance;

	if (opcode != 0xe8 && opcode != 0xe9 && opcode != 0x0f)
		return end + (addr_t)(int8_t)bytes[insn->length - 1];
	memcpy(&distance, bytes + insn->length - 4, sizeof(distance));
	return end + (addr_t)distance;
}

static enum insn_kind
kind_with_word(enum insn_kind kind)
{
	switch (kind) {
	case INSN_JUMP_INDIRECT:
		return INSN_JUMP_WORD;
	case INSN_CALL_INDIRECT:
		return INSN_CALL_WORD;
	case INSN_PLAIN:
		return INSN_PC_RELATIVE;
	default:
		return kind;
	}
}

/*
 * ModRM with mod 0 and rm 5 is disp32(%rip) (Intel SDM 2, 2.2.1.6). Moves of
 * control registers ignore mod, and are too short for a disp32.
 */
static void
find_pc_relative(const uint8_t *bytes, addr_t at, struct insn *insn)
{
	enum insn_kind kind = kind_with_word(insn->kind);
	int32_t distance;

	if (insn->mode == INSN_MODE_32 || !insn->modrm_offset ||
	    kind == insn->kind || (bytes[insn->modrm_offset] & 0xc7) != 0x05 ||
	    insn->modrm_offset + 1u + sizeof(distance) > insn->length)
		return;
	insn->kind = kind;
	insn->disp_offset = insn->modrm_offset + 1;
	memcpy(&distance, bytes + insn->disp_offset, sizeof(distance));
	insn->target = at + insn->length + (addr_t)distance;
	if (insn->prefixes & INSN_PREFIX_ADDRESS)
		insn->target = (uint32_t)insn->target;
}

static void
classify(const uint8_t *bytes, addr_t at, struct insn *insn)
{
	insn->kind = kind_of(bytes + insn->opcode_offset, insn);
	switch (insn->kind) {
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
	case INSN_CALL:
		if (width_is_sixteen(insn))
			insn->kind = INSN_OTHER_FLOW;
		else
			insn->target = branch_target(bytes, at, insn);
		if (insn->mode == INSN_MODE_32)
			insn->target = (uint32_t)insn->target;
		return;
	case INSN_CALL_INDIRECT:
	case INSN_JUMP_INDIRECT:
		if (width_is_sixteen(insn))
			insn->kind = INSN_OTHER_FLOW;
		break;
	default:
		break;
	}
	find_pc_relative(bytes, at, insn);
}

/* In 32-bit code: les, lds and bound, which have the opcodes of the escapes to
 * other maps. */
static bool
has_memory_operand(const struct code *code, size_t opcode)
{
	const uint8_t *at = code->bytes + opcode;

	return (at[0] == 0xc4 || at[0] == 0xc5 || at[0] == 0x62) &&
	       (code->length - opcode < 2 || at[1] >> 6 != 3);
}

/* The length of an instruction that is not in the quick table. */
static size_t
known_length(const struct code *code, const struct insn *insn,
	     size_t *ret_modrm)
{
	const cs_insn *known = insn_disassemble(insn->mode, code);

	if (known) {
		*ret_modrm = known->detail->x86.encoding.modrm_offset;
		return known->size;
	}
	if (insn->mode == INSN_MODE_32 &&
	    has_memory_operand(code, insn->opcode_offset))
		return 0;
	return insn_mapped_length(code->bytes, code->length,
				  insn->opcode_offset, ret_modrm);
}

int
insn_decode_in(enum insn_mode mode, const struct code *code,
	       struct insn *ret_insn)
{
	struct insn insn = { .mode = mode };
	struct code start = *code;
	size_t modrm = 0, length = 0;

	if (start.length > INSN_LONGEST)
		start.length = INSN_LONGEST;
	read_prefixes(start.bytes, start.length, &insn);
	if (insn.opcode_offset >= start.length)
		return -EINVAL;
	if (mode == INSN_MODE_64)
		length = insn_quick_length(start.bytes, start.length,
					   insn.opcode_offset, insn.prefixes,
					   &modrm);
	if (!length)
		length = known_length(&start, &insn, &modrm);
	if (length <= insn.opcode_offset)
		return -EINVAL;
	insn.length = (uint8_t)length;
	insn.modrm_offset = (uint8_t)modrm;
	classify(start.bytes, start.at, &insn);
	*ret_insn = insn;
	return 0;
}

int
insn_decode(const uint8_t *bytes, size_t have, addr_t at, struct insn *ret_insn)
{
	return insn_decode_in(INSN_MODE_64, &(struct code){ bytes, have, at },
			      ret_insn);
}

const char *
insn_kind_name(enum insn_kind kind)
{
	static const char *const names[INSN_KINDS] = {
		[INSN_PLAIN] = "a plain instruction",
		[INSN_PC_RELATIVE] = "a pc-relative operand",
		[INSN_NOTHING] = "a nop",
		[INSN_JUMP] = "a jump",
		[INSN_JUMP_INDIRECT] = "an indirect jump",
		[INSN_JUMP_WORD] = "a jump through a word of memory",
		[INSN_BRANCH] = "a conditional jump",
		[INSN_LOOP] = "a loop",
		[INSN_CALL] = "a call",
		[INSN_CALL_INDIRECT] = "an indirect call",
		[INSN_CALL_WORD] = "a call through a word of memory",
		[INSN_RETURN] = "a return",
		[INSN_SYSCALL] = "a system call",
		[INSN_TRAP] = "a trap",
		[INSN_OTHER_FLOW] = "a far or transactional jump",
	};

	return names[kind];
}
