/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three forms of a call name the callee: e8 rel32; ff 15 disp32, through a word
 * of a table; and e8 to a gate, which is ff 25 disp32, maybe behind endbr64
 * and with a bnd prefix. All others are ff /2 with two to seven bytes (Intel
 * SDM 2, CALL). Instructions cannot be decoded backwards, so bytes that look
 * like such a call may be a part of another instruction: that is CALLER_OTHER.
 */
#include "arch/x86_64/caller.h"

#include <string.h>

#define BEFORE 7u
#define GATE 16u

static int32_t
number(const uint8_t *bytes)
{
	int32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

static bool
word_is(struct reader *memory, addr_t at, uint64_t wanted)
{
	uint64_t word;

	return reader_u64(memory, at, &word) == 0 && word == wanted;
}

static bool
gate_leads_to(struct reader *memory, addr_t gate, addr_t function)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	uint8_t bytes[GATE];
	size_t at = 0;

	if (reader_read(memory, gate, bytes, sizeof(bytes)) < 0)
		return false;
	if (!memcmp(bytes, endbr64, sizeof(endbr64)))
		at += sizeof(endbr64);
	at += bytes[at] == 0xf2;
	return bytes[at] == 0xff && bytes[at + 1] == 0x25 &&
	       word_is(memory,
		       gate + at + 6 + (addr_t)(int64_t)number(bytes + at + 2),
		       function);
}

static bool
is_indirect(const uint8_t *bytes)
{
	static const unsigned begins[] = { 5, 4, 3, 1, 0 };

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		const uint8_t *call = bytes + begins[i];

		if (call[0] == 0xff && (call[1] & 0x38) == 0x10)
			return true;
	}
	return false;
}

enum caller
x86_64_caller(struct reader *memory, addr_t back, addr_t function)
{
	uint8_t bytes[BEFORE];
	addr_t target;

	if (back < BEFORE ||
	    reader_read(memory, back - BEFORE, bytes, sizeof(bytes)) < 0)
		return CALLER_NONE;
	target = back + (addr_t)(int64_t)number(bytes + 3);
	if (bytes[2] == 0xe8 &&
	    (target == function || gate_leads_to(memory, target, function)))
		return CALLER_OURS;
	if (bytes[1] == 0xff && bytes[2] == 0x15 &&
	    word_is(memory, target, function))
		return CALLER_OURS;
	return bytes[2] == 0xe8 || is_indirect(bytes) ? CALLER_OTHER
						      : CALLER_NONE;
}
