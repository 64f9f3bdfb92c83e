/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relative jumps (Intel SDM 2, "Jcc", "JMP", "LOOP"): 70..7f, e0..e3 and eb
 * with one byte of distance, 0f 80..8f and e9 with four. The distance comes
 * last and counts from the end of the instruction, so it is enough to check the
 * four bytes that hold it.
 */
#include "arch/x86_64/branch.h"

#include <string.h>

static bool
short_jump(uint8_t opcode)
{
	return (opcode >= 0x70 && opcode <= 0x7f) ||
	       (opcode >= 0xe0 && opcode <= 0xe3) || opcode == 0xeb;
}

static bool
long_jump(const uint8_t *bytes, size_t at)
{
	return (at >= 1 && bytes[at - 1] == 0xe9) ||
	       (at >= 2 && bytes[at - 2] == 0x0f &&
		(bytes[at - 1] & 0xf0) == 0x80);
}

bool
x86_64_may_jump_to(const struct code *code, addr_t target)
{
	const uint8_t *bytes = code->bytes;
	size_t have = code->length;
	addr_t at = code->at;

	for (size_t i = 1; i < have; i++) {
		int64_t distance = (int64_t)(target - (at + i + 1));
		int32_t four;

		if (short_jump(bytes[i - 1]) && (int8_t)bytes[i] == distance)
			return true;
		if (i + sizeof(four) > have || !long_jump(bytes, i))
			continue;
		memcpy(&four, bytes + i, sizeof(four));
		if (four == (int64_t)(target - (at + i + sizeof(four))))
			return true;
	}
	return false;
}
