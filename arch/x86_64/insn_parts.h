/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that include capstone share. */
#ifndef ARCH_X86_64_INSN_PARTS_H
#define ARCH_X86_64_INSN_PARTS_H

#include "arch/x86_64/insn.h"
#include "base/attr.h"

#include <capstone/capstone.h>
#include <stdint.h>

/* The instruction as capstone decodes it, valid until the next call of the same
 * thread; or NULL. */
const cs_insn *insn_disassemble(enum insn_mode mode, const struct code *code);
/* Which registers the instruction writes that the calling thread has
 * disassembled last. Returns false if capstone does not know. */
must_check bool insn_writes(const cs_insn *known, cs_regs ret_registers,
			    uint8_t *ret_count);

#endif
