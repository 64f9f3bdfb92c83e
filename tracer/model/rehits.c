/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sigreturn(2) restores all registers of a thread, so at a repeated hit every
 * register has its earlier value. A handler that leaves by longjmp does not
 * return. A later call from the same place differs at least in the registers
 * that longjmp's own system call changes, or another hit further up the stack
 * comes in between. Only registers that a trap itself changes are not compared.
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
		/* Handlers that began later were left by longjmp. */
		rehits->count = i;
		return true;
	}
	if (regs_sp(regs) >= low && regs_sp(regs) < high)
		drop_below(rehits, regs_sp(regs), low);
	return false;
}
