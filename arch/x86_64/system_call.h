/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The system calls of x86-64 programs, by their registers. */
#ifndef ARCH_X86_64_SYSTEM_CALL_H
#define ARCH_X86_64_SYSTEM_CALL_H

#include "arch/arch.h"

extern const struct arch_system_call x86_64_system_call;

/* The functions of struct arch_system_call for x86-64. */
const char *x86_64_system_call_name(long number);
long x86_64_system_call_count(void);
bool x86_64_waits_masked(long number, const uint64_t arguments[6]);

#endif
