/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `mov disp(%rip), %r64` is REX.W 8b /r and `lea` is REX.W 8d /r, with mod 0
 * and rm 5 (Intel SDM 2, 2.2.1.6). */
#include "arch/x86_64/data.h"

#include "arch/x86_64/insn.h"

#define CODE_MOST 256u
#define OPCODE_LOAD 0x8b
#define OPCODE_ADDRESS 0x8d

static bool
names_data(const struct insn *insn, const uint8_t *bytes)
{
	uint8_t opcode = bytes[insn->opcode_offset];

	return insn->kind == INSN_PC_RELATIVE &&
	       insn->prefixes & INSN_PREFIX_REX_W &&
	       (opcode == OPCODE_LOAD || opcode == OPCODE_ADDRESS);
}

addr_t
x86_64_data_address(struct reader *memory, addr_t entry, size_t nth)
{
	uint8_t bytes[CODE_MOST];
	long have = reader_some(memory, entry, bytes, sizeof(bytes));
	struct insn insn;

	for (long at = 0; at < have; at += insn.length) {
		if (insn_decode(bytes + at, (size_t)(have - at),
				entry + (addr_t)at, &insn) < 0)
			return 0;
		if (names_data(&insn, bytes + at) && nth-- == 0)
			return insn.target;
		if (insn.kind == INSN_RETURN)
			return 0;
	}
	return 0;
}
