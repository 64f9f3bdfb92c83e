/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Windows of any bytes, and jumps over them. The first byte chooses the limits,
 * the next four bytes choose the range of addresses for springboards, the rest
 * is code. A window consists of whole instructions, and its slot has an entry
 * for each boundary. A jump has a trap at each boundary and leads to a
 * springboard within the range.
 */
#include "arch/arch.h"
#include "arch/jump.h"
#include "arch/x86/int3.h"
#include "arch/x86_64/insn.h"
#include "arch/x86_64/pun.h"
#include "arch/x86_64/relocate.h"
#include "arch/x86_64/window.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define AT UINT64_C(0x7f1234567000)
#define HEAD 5u

static void
check_window(const struct code *code, const struct window *window)
{
	unsigned boundaries = 0;
	size_t at = 0;

	assert(window->length >= JUMP_LENGTH && window->length <= code->length);
	while (at < window->length) {
		struct insn insn;

		if (insn_decode(code->bytes + at, code->length - at, AT + at,
				&insn) < 0)
			assert(!"not an instruction");
		boundaries |= at ? 1u << at : 0;
		at += insn.length;
	}
	assert(at == window->length && boundaries == window->boundaries);
}

static void
check_slot(const struct code *code, const struct window *window,
	   struct relocate_limits limits)
{
	addr_t slot_at = AT + 0x10000;
	struct relocated slot;
	int r;

	limits.cover = JUMP_LENGTH;
	r = x86_64_relocate(code, slot_at, &limits, &slot, NULL);
	assert(r == 0 && slot.length <= WINDOW_SLOT_ROOM);
	assert(slot.steps <= WINDOW_SLOT_STEPS);
	assert(slot.displaced == window->length || slot.flow_ends);
	assert((slot.boundaries & ~window->boundaries) == 0);
	for (unsigned i = 1; i < COVER_MOST; i++) {
		if (slot.boundaries & 1u << i)
			assert(slot.entry[i] <= slot.length);
	}
}

static void
check_jump(const struct window *window, const struct jump *jump,
	   struct jump_room room)
{
	uint8_t original[JUMP_MOST], board[JUMP_LENGTH];
	int32_t distance;

	memcpy(&distance, jump->planted + 1, sizeof(distance));
	assert(jump->planted[0] == JUMP_OPCODE);
	assert(jump->board == AT + JUMP_LENGTH + (addr_t)(int64_t)distance);
	assert(jump->board >= room.start &&
	       jump->board + JUMP_LENGTH <= room.end);
	assert(jump->length <= window->length);
	for (unsigned i = 1; i < JUMP_LENGTH; i++) {
		addr_t traps[2];
		unsigned count = jump_traps(jump, i, traps);

		if (window->boundaries & 1u << i)
			assert(jump->planted[traps[count - 1] - AT] == INT3);
	}
	jump_bytes(jump, JUMP_STAGE_ORIGINAL, &arch_of_host()->trap, original);
	assert(!memcmp(original, window->bytes, jump->length));
	assert(x86_64_board(jump->board, AT, board));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct relocate_limits limits = { 0 };
	struct jump_room room;
	struct window window;
	struct jump jump;
	const char *why = NULL;
	struct code code;
	int32_t distance;
	int r;

	if (length < HEAD)
		return 0;
	limits.shadow_stack = bytes[0] & 0x80;
	memcpy(&distance, bytes + 1, sizeof(distance));
	room.start = AT + (addr_t)(int64_t)distance;
	room.end = room.start + (UINT64_C(16) << (bytes[0] & 0x1f));
	code = (struct code){ bytes + HEAD, length - HEAD, AT };
	r = x86_64_window(&code, &limits, &window, &why);
	if (r < 0) {
		assert(r == -EINVAL || r == -ERANGE || r == -ENOTSUP);
		assert(why && why[0]);
		return 0;
	}
	check_window(&code, &window);
	check_slot(&code, &window, limits);
	if (x86_64_pun(&window, AT, &room, 1, &jump))
		check_jump(&window, &jump, room);
	return 0;
}
