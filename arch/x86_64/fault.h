/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the CPU stood when one of our own threads faulted. */
#ifndef ARCH_X86_64_FAULT_H
#define ARCH_X86_64_FAULT_H

#include "base/die.h"

/* For die_init(): out of the ucontext_t of sigaction(2). */
struct fault_place x86_64_fault_place(const void *context);

#endif
