/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The length of the instructions that functions are made of, from a table:
 * a hundred times faster than asking a disassembler, which is left with the
 * rest.
 */
#ifndef ARCH_X86_64_QUICK_H
#define ARCH_X86_64_QUICK_H

#include "base/attr.h"

#include <stddef.h>
#include <stdint.h>

/*
 * bytes[opcode] is the first byte behind the prefixes, which are those of
 * enum insn_prefix. The whole length, with *ret_modrm the offset of the ModRM
 * byte or 0 without one; or 0 where the table does not know it for sure, or
 * not all of it is there.
 */
size_t insn_quick_length(const uint8_t *bytes, size_t have, size_t opcode,
			 unsigned prefixes, size_t *ret_modrm);

#endif
