/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of an instruction of the later opcode maps (VEX, EVEX, XOP,
 * 0f 38, 0f 3a and a few of 0f), which older disassemblers do not know one
 * by one, but whose lengths follow from the map alone.
 */
#ifndef ARCH_X86_64_LENGTH_H
#define ARCH_X86_64_LENGTH_H

#include "base/attr.h"

#include <stddef.h>
#include <stdint.h>

/*
 * bytes[opcode] is the first byte behind the prefixes. The whole length, with
 * *ret_modrm the offset of the ModRM byte, or 0 where this is not such an
 * instruction or not wholly there.
 */
size_t insn_mapped_length(const uint8_t *bytes, size_t have, size_t opcode,
			  size_t *ret_modrm);

/*
 * Of a ModRM byte and what it asks for, a SIB byte and a displacement: more
 * than have where not all of it is there.
 */
size_t insn_operand_length(const uint8_t *modrm, size_t have);

#endif
