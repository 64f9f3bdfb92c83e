/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function that has ended in a jump to another function has no frame any
 * more, but its caller still waits for it. For example libmariadb's
 * mysql_real_query() jumps to the function that reads the answer and blocks
 * there. The caller's text tells which function was called:
 *
 * 	call f		e8 rel32, f or a stub that jumps on through its word
 * 	call *word	ff 15 disp32 (-fno-plt)
 */
#include "arch/x86_64/caller.h"
#include "arch/x86_64/insn.h"

#define CALL_LENGTH 5u
#define CALL_WORD_LENGTH 6u

static addr_t
in_word(struct reader *memory, addr_t word)
{
	uint64_t target;

	return reader_u64(memory, word, &target) < 0 ? 0 : target;
}

/* A stub's first instruction may be an endbr64 (symbols/plt). */
static addr_t
behind_stub(struct reader *memory, addr_t target)
{
	uint8_t bytes[2 * INSN_LONGEST];
	long have = reader_some(memory, target, bytes, sizeof(bytes));
	struct insn insn;

	for (long at = 0; at < have; at += insn.length) {
		if (insn_decode(bytes + at, (size_t)(have - at),
				target + (addr_t)at, &insn) < 0)
			return target;
		if (insn.kind == INSN_JUMP_WORD)
			return in_word(memory, insn.target);
		if (insn.kind != INSN_NOTHING)
			return target;
	}
	return target;
}

addr_t
x86_64_called(struct reader *memory, addr_t return_address)
{
	uint8_t before[CALL_WORD_LENGTH];
	struct insn insn;

	if (reader_read(memory, return_address - sizeof(before), before,
			sizeof(before)) < 0)
		return 0;
	if (insn_decode(before, sizeof(before), return_address - sizeof(before),
			&insn) == 0 &&
	    insn.kind == INSN_CALL_WORD && insn.length == CALL_WORD_LENGTH)
		return in_word(memory, insn.target);
	if (insn_decode(before + 1, CALL_LENGTH, return_address - CALL_LENGTH,
			&insn) == 0 &&
	    insn.kind == INSN_CALL && insn.length == CALL_LENGTH)
		return behind_stub(memory, insn.target);
	return 0;
}
