/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sigreturn(2) gives a thread all of its registers back, so a hit that comes
 * again has every one as it was. A handler that leaves by longjmp does not come
 * back; a later call from the same place differs, if in nothing else, in what
 * longjmp's own system call leaves in registers, or is known by a hit further
 * up the stack in between. Only what a trap itself changes is not looked at.
 */
#include "tracer/model/rehits.h"

#include <string.h>

void
rehits_add(struct rehits *rehits, const struct regs *regs)
{
	if (rehits->count == REHITS_MOST) {
		rehits->count--;
		memmove(&rehits->at[0], &rehits->at[1],
			rehits->count * sizeof(rehits->at[0]));
	}
	rehits->at[rehits->count++] = *regs;
}

static void
drop_below(struct rehits *rehits, addr_t sp, addr_t low)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < rehits->count; i++) {
		addr_t at = regs_sp(&rehits->at[i]);

		if (at < low || at > sp)
			rehits->at[kept++] = rehits->at[i];
	}
	rehits->count = kept;
}

bool
rehits_among(struct rehits *rehits, const struct regs *regs, addr_t low,
	     addr_t high)
{
	for (unsigned i = rehits->count; i-- > 0;) {
		if (!regs_same(&rehits->at[i], regs))
			continue;
		/* Handlers that came later were left for good. */
		rehits->count = i;
		return true;
	}
	if (regs_sp(regs) >= low && regs_sp(regs) < high)
		drop_below(rehits, regs_sp(regs), low);
	return false;
}
