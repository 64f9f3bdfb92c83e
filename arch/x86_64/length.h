/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of an instruction of the later opcode maps (VEX, EVEX, XOP, 0f 38,
 * 0f 3a and a few of 0f). Older disassemblers do not know each of them, but the
 * map alone determines the length.
 */
#ifndef ARCH_X86_64_LENGTH_H
#define ARCH_X86_64_LENGTH_H

#include "base/attr.h"

#include <stddef.h>
#include <stdint.h>

/*
 * bytes[opcode] is the first byte behind the prefixes. Returns the whole
 * length, and in *ret_modrm the offset of the ModRM byte; or 0 if this is no
 * such instruction or is incomplete.
 */
size_t insn_mapped_length(const uint8_t *bytes, size_t have, size_t opcode,
			  size_t *ret_modrm);

/*
 * The length of a ModRM byte with its SIB byte and displacement: more than
 * `have` if some bytes are missing.
 */
size_t insn_operand_length(const uint8_t *modrm, size_t have);

#endif
