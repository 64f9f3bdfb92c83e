/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capstone 4 does not know much of AVX-512, GFNI, protection keys and shadow
 * stacks: of libc's instructions 1 in 250, of x265's 1 in 9. None of them
 * changes the flow. Each consists of an escape, an opcode byte, a ModRM byte
 * with the operand that it describes, and an immediate that depends on the map:
 *
 * 	c5 p       vex, map 1		0f 38      map 2
 * 	c4 p p     vex, map in p	0f 3a      map 3
 * 	62 p p p   evex, map in p	0f         map 1, three opcodes
 * 	8f p p     xop, map 8, 9, 10
 *
 * (Intel SDM 2, 2.1, 2.3.5, 2.7; AMD APM 3, 1.2.7.) Relocation needs no more.
 * It does not matter whether the processor knows the opcode: if not, the
 * instruction faults in its slot as it would have at its own address.
 */
#include "arch/x86_64/length.h"

#include <stdbool.h>

struct escape {
	size_t length; /* up to the opcode byte; 0: no escape */
	unsigned map;
};

#define MAP_XOP_IMM8 8
#define MAP_XOP 9
#define MAP_XOP_IMM32 10

/* rdpkru, wrpkru; hint nops and rdssp; rdrand, rdseed, rdpid. */
static bool
known_in_map_1(uint8_t opcode, uint8_t modrm)
{
	return (opcode == 0x01 && (modrm == 0xee || modrm == 0xef)) ||
	       opcode == 0x1e || (opcode == 0xc7 && modrm >= 0xf0);
}

static struct escape
legacy_escape(const uint8_t *at, size_t have)
{
	if (at[1] == 0x38)
		return (struct escape){ 2, 2 };
	if (at[1] == 0x3a)
		return (struct escape){ 2, 3 };
	if (have > 2 && known_in_map_1(at[1], at[2]))
		return (struct escape){ 1, 1 };
	return (struct escape){ 0 };
}

static struct escape
escape_of(const uint8_t *at, size_t have)
{
	if (have < 2)
		return (struct escape){ 0 };
	switch (at[0]) {
	case 0x0f:
		return legacy_escape(at, have);
	case 0xc5:
		return (struct escape){ 2, 1 };
	case 0xc4:
		return (struct escape){ 3, at[1] & 0x1f };
	case 0x62:
		return (struct escape){ 4, at[1] & 7 };
	case 0x8f:
		if ((at[1] & 0x1f) >= MAP_XOP_IMM8)
			return (struct escape){ 3, at[1] & 0x1f };
		return (struct escape){ 0 };
	default:
		return (struct escape){ 0 };
	}
}

/* Does this opcode of map 1 have an immediate? Shifts by a constant, compares,
 * inserts and shuffles have one. */
static bool
map_1_has_immediate(uint8_t opcode)
{
	return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 ||
	       (opcode >= 0xc4 && opcode <= 0xc6);
}

/* The size of the immediate, or -1 for an unknown map. */
static int
immediate_of(unsigned map, uint8_t opcode)
{
	switch (map) {
	case 1:
		return map_1_has_immediate(opcode);
	case 2:
	case 5:
	case 6:
	case MAP_XOP:
		return 0;
	case 3:
	case MAP_XOP_IMM8:
		return 1;
	case MAP_XOP_IMM32:
		return 4;
	default:
		return -1;
	}
}

/* The length of an operand by the fields of ModRM (Intel SDM 2, tables 2-2 and
 * 2-3). */
size_t
insn_operand_length(const uint8_t *modrm, size_t have)
{
	unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	size_t length = 1;

	if (mod == 3)
		return length;
	if (rm == 4) {
		if (have < 2)
			return have + 1;
		length++;
		rm = modrm[1] & 7;
	}
	if (mod == 0 && rm == 5)
		mod = 2;
	return length + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

size_t
insn_mapped_length(const uint8_t *bytes, size_t have, size_t opcode,
		   size_t *ret_modrm)
{
	struct escape escape = escape_of(bytes + opcode, have - opcode);
	size_t modrm = opcode + escape.length + 1, length;
	int immediate;

	if (!escape.length || modrm >= have)
		return 0;
	immediate = immediate_of(escape.map, bytes[modrm - 1]);
	if (immediate < 0)
		return 0;
	length = modrm + insn_operand_length(bytes + modrm, have - modrm) +
		 (size_t)immediate;
	if (length > have)
		return 0;
	*ret_modrm = modrm;
	return length;
}
