/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The few instructions that a slot has besides the displaced ones. None may
 * change a register or a flag, so an address that does not fit in 32 bits is
 * kept as a word in the slot and read by `jmp *word(%rip)` or `push
 * word(%rip)`. The push has another reason: the return address of a displaced
 * call is written by one instruction, so a signal never finds half of it on the
 * stack. (Intel SDM 2, "JMP", "PUSH", "Jcc".)
 *
 * In 32-bit code an address is an operand of 32 bits everywhere.
 */
#include "arch/x86_64/emit.h"

#include <assert.h>
#include <string.h>

#define JUMP_REL32 0xe9
#define PUSH_IMM32 0x68
#define JUMP_REL32_LENGTH 5
#define FAR_JUMP_LENGTH 14
#define BRANCH_REL8 0x70
#define BRANCH_REL32 0x80 /* the opcode's second byte, behind 0x0f */
#define BRANCH_REL32_LENGTH 6

void
emitter_init(struct emitter *emitter, uint8_t *bytes, size_t room, addr_t at)
{
	*emitter = (struct emitter){ .bytes = bytes, .room = room, .at = at };
}

addr_t
emitter_pc(const struct emitter *emitter)
{
	return emitter->at + emitter->length;
}

void
emit_bytes(struct emitter *emitter, const uint8_t *bytes, size_t length)
{
	assert(length <= emitter->room - emitter->length);
	memcpy(emitter->bytes + emitter->length, bytes, length);
	emitter->length += length;
}

void
emit_u8(struct emitter *emitter, uint8_t value)
{
	emit_bytes(emitter, &value, sizeof(value));
}

void
emit_u32(struct emitter *emitter, uint32_t value)
{
	emit_bytes(emitter, (const uint8_t *)&value, sizeof(value));
}

void
emit_u64(struct emitter *emitter, uint64_t value)
{
	emit_bytes(emitter, (const uint8_t *)&value, sizeof(value));
}

bool
emit_reaches(addr_t end, addr_t target)
{
	int64_t distance = (int64_t)(target - end);

	return distance >= INT32_MIN && distance <= INT32_MAX;
}

static bool
reaches(const struct emitter *emitter, addr_t end, addr_t target)
{
	return emitter->narrow || emit_reaches(end, target);
}

void
emit_far_jump(struct emitter *emitter, addr_t target)
{
	static const uint8_t through_next_word[] = { 0xff, 0x25, 0, 0, 0, 0 };

	emit_bytes(emitter, through_next_word, sizeof(through_next_word));
	emit_u64(emitter, target);
}

void
emit_jump(struct emitter *emitter, addr_t target)
{
	addr_t end = emitter_pc(emitter) + JUMP_REL32_LENGTH;

	if (!reaches(emitter, end, target)) {
		emit_far_jump(emitter, target);
		return;
	}
	emit_u8(emitter, JUMP_REL32);
	emit_u32(emitter, (uint32_t)(target - end));
}

bool
emit_branch(struct emitter *emitter, uint8_t condition, addr_t target)
{
	addr_t end = emitter_pc(emitter) + BRANCH_REL32_LENGTH;

	if (!reaches(emitter, end, target))
		return false;
	emit_u8(emitter, 0x0f);
	emit_u8(emitter, BRANCH_REL32 | condition);
	emit_u32(emitter, (uint32_t)(target - end));
	return true;
}

void
emit_branch_over_far_jump(struct emitter *emitter, uint8_t condition)
{
	emit_u8(emitter, BRANCH_REL8 | condition);
	emit_u8(emitter, FAR_JUMP_LENGTH);
}

void
emit_push(struct emitter *emitter, uint64_t value)
{
	if (emitter->narrow) {
		emit_u8(emitter, PUSH_IMM32);
		emit_u32(emitter, (uint32_t)value);
		return;
	}
	assert(!emitter->literal_user);
	emit_u8(emitter, 0xff);
	emit_u8(emitter, 0x35);
	emitter->literal_user = emitter->length;
	emitter->literal = value;
	emit_u32(emitter, 0);
}

void
emit_literal(struct emitter *emitter)
{
	size_t user = emitter->literal_user;
	uint32_t distance = (uint32_t)(emitter->length - (user + 4));

	if (!user)
		return;
	memcpy(emitter->bytes + user, &distance, sizeof(distance));
	emit_u64(emitter, emitter->literal);
	emitter->literal_user = 0;
}
