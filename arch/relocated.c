/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An offset in a slot belongs to the last step that begins at or before it. */
#include "arch/relocated.h"

addr_t
relocated_pc(const struct relocated *slot, addr_t at, size_t offset,
	     bool *ret_whole)
{
	const struct slot_step *step = &slot->step[0];

	for (uint8_t i = 1; i < slot->steps; i++) {
		if (slot->step[i].offset <= offset)
			step = &slot->step[i];
	}
	if (ret_whole)
		*ret_whole = step->whole;
	return at + (addr_t)step->original;
}
