/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of the most frequent instructions, from a table: a hundred times
 * faster than a disassembler, which is used for the rest.
 */
#ifndef ARCH_X86_64_QUICK_H
#define ARCH_X86_64_QUICK_H

#include "base/attr.h"

#include <stddef.h>
#include <stdint.h>

/*
 * bytes[opcode] is the first byte behind the prefixes, which are enum
 * insn_prefix. Returns the whole length, and in *ret_modrm the offset of the
 * ModRM byte, or 0 without one. Returns 0 if the table does not know the
 * instruction or it is incomplete.
 */
size_t insn_quick_length(const uint8_t *bytes, size_t have, size_t opcode,
			 unsigned prefixes, size_t *ret_modrm);

#endif
