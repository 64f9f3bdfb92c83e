/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code in the program that must not change a flag saves the six arithmetic
 * flags in rax, and restores them:
 *
 *	lahf ; seto %al		five flags in ah, the overflow flag in al
 *	add $0x7f,%al ; sahf	sets the overflow flag again, then the others
 *
 * (Intel SDM 2, "LAHF", "SAHF"). That takes a nanosecond; pushf and popf take
 * ten. Checks and meters do it.
 */
#ifndef ARCH_X86_64_SAVED_FLAGS_H
#define ARCH_X86_64_SAVED_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

/* Does this CPU have lahf? The oldest 64-bit processors do not (CPUID
 * 80000001h, ECX bit 0). */
bool saved_flags_possible(void);

/* eflags with the six flags that rax holds, between the seto and the sahf. */
uint64_t saved_flags_restored(uint64_t eflags, uint64_t rax);

#endif
