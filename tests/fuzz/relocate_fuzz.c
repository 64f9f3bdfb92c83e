/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocation of any bytes. The first byte chooses the limits and the distance
 * of the slot, the rest is code. A slot must have at most SLOT_ROOM bytes, its
 * steps must be at instructions and in order, and every refusal must have a
 * reason.
 */
#include "arch/x86_64/insn.h"
#include "arch/x86_64/relocate.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define AT UINT64_C(0x7f1234567000)

static void
check_steps(const struct relocated *slot, addr_t slot_at)
{
	assert(slot->steps > 0 && slot->steps <= SLOT_STEPS);
	assert(slot->step[0].offset == 0 && slot->step[0].whole);
	for (uint8_t i = 0; i < slot->steps; i++) {
		const struct slot_step *step = &slot->step[i];
		struct insn insn;
		bool whole;
		addr_t pc = relocated_pc(slot, AT, step->offset, &whole);
		int r = insn_decode(slot->bytes + step->offset,
				    slot->length - (size_t)step->offset,
				    slot_at + step->offset, &insn);

		assert(r == 0 && whole == step->whole);
		assert(pc == AT + (addr_t)step->original);
		assert(i == 0 || step->offset > slot->step[i - 1].offset);
	}
}

static void
check_slot(const struct relocated *slot, size_t have)
{
	assert(slot->length > 0 && slot->length <= SLOT_ROOM);
	assert(slot->displaced > 0 && slot->displaced <= have);
	assert(slot->displaced <= 1 + INSN_LONGEST);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static const int64_t distances[] = { 0x1000, -0x1000, 0x7fffff00,
					     -0x80000000ll, 0x100000000ll };
	struct relocate_limits limits = { 0 };
	struct relocated slot;
	const char *why = NULL;
	addr_t slot_at;
	int r;

	if (length == 0)
		return 0;
	limits.shadow_stack = bytes[0] & 0x80;
	limits.alone = bytes[0] & 0x40;
	slot_at = AT + (addr_t)distances[(bytes[0] & 0x3f) % 5];
	r = x86_64_relocate(&(struct code){ bytes + 1, length - 1, AT },
			    slot_at, &limits, &slot, &why);
	if (r < 0) {
		assert(r == -EINVAL || r == -ERANGE || r == -ENOTSUP);
		assert(why && why[0]);
		return 0;
	}
	check_slot(&slot, length - 1);
	check_steps(&slot, slot_at);
	return 0;
}
