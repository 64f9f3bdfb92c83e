/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a thread of xtrace itself has faulted. Defined in arch/CPU/. */
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include "base/die.h"

/*
 * The place of a fault, for die_init(). context is the ucontext_t of
 * sigaction(2).
 */
struct fault_place arch_fault_place(const void *context);

#endif
