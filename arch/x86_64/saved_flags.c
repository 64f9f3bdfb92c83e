/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread may be stopped before or after the `add $0x7f,%al` that restores the
 * overflow flag. Before it, al is 1 or 0; after it, 0x80 or 0x7f. So al tells
 * the overflow flag in both cases.
 */
#include "arch/x86_64/saved_flags.h"

#include <cpuid.h>

/* The flags that lahf stores, and the overflow flag (Intel SDM 1, 3.4.3). */
#define LAHF_FLAGS UINT64_C(0xd5)
#define OVERFLOW_FLAG UINT64_C(0x800)

bool
saved_flags_possible(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(0x80000001, &a, &b, &c, &d) && c & 1;
}

uint64_t
saved_flags_restored(uint64_t eflags, uint64_t rax)
{
	uint8_t low = (uint8_t)rax;

	eflags &= ~(LAHF_FLAGS | OVERFLOW_FLAG);
	eflags |= rax >> 8 & LAHF_FLAGS;
	if (low == 1 || low == 0x80)
		eflags |= OVERFLOW_FLAG;
	return eflags;
}
