/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A write of one byte is one store of the kernel, so no thread sees a part of
 * it. */
#include "breakpoints/outlive/way.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int
way_step(int memory, const struct jump *jump, const struct arch_trap *trap,
	 struct jump_step step)
{
	uint8_t there[JUMP_MOST], to[JUMP_MOST];
	int written = 0;

	if (pread(memory, there, jump->length, (off_t)jump->at) != jump->length)
		return -EFAULT;
	if (!jump_is_ours(jump, trap, there))
		return -EBUSY;
	jump_bytes(jump, step.stage, trap, to);
	for (unsigned i = 0; i < jump->length; i++) {
		if (!(step.bytes & 1u << i) || there[i] == to[i])
			continue;
		if (pwrite(memory, &to[i], 1, (off_t)(jump->at + i)) != 1)
			return -EFAULT;
		written++;
	}
	return written;
}

bool
way_begun(int memory, const struct jump *jump)
{
	uint8_t there[JUMP_MOST];

	return pread(memory, there, jump->length, (off_t)jump->at) ==
		       jump->length &&
	       memcmp(there, jump->original, jump->length) != 0;
}

void
way_pack(const struct jump *jump, struct inside_entry *entry)
{
	uint8_t bytes[sizeof(entry->jump)] = { 0 };

	entry->original = 0;
	memcpy(&entry->original, jump->original, jump->length);
	memcpy(bytes, jump->planted, jump->length);
	bytes[JUMP_MOST] = jump->boundaries;
	bytes[JUMP_MOST + 1] = jump->length;
	memcpy(&entry->jump, bytes, sizeof(bytes));
}

bool
way_unpack(const struct inside_entry *entry, struct jump *ret_jump)
{
	struct jump jump = { .at = entry->site };
	uint8_t bytes[sizeof(entry->jump)];

	memcpy(bytes, &entry->jump, sizeof(bytes));
	jump.boundaries = bytes[JUMP_MOST];
	jump.length = bytes[JUMP_MOST + 1];
	if (!entry->site || jump.length == 0 || jump.length > JUMP_MOST)
		return false;
	memcpy(jump.planted, bytes, jump.length);
	memcpy(jump.original, &entry->original, jump.length);
	*ret_jump = jump;
	return true;
}

int
way_back_of(int memory, const struct arch_trap *trap,
	    const struct inside_entry *entry)
{
	struct jump jump;
	int r = 0;

	if (!way_unpack(entry, &jump) || !way_begun(memory, &jump))
		return 0;
	for (unsigned i = 0; i < JUMP_STEPS && r >= 0; i++)
		r = way_step(memory, &jump, trap,
			     jump_step_back(&jump, i, true));
	return r < 0 ? r : 0;
}
