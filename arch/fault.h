/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a thread of xtrace itself was when it faulted. The folder of the CPU
 * defines it. */
#ifndef ARCH_FAULT_H
#define ARCH_FAULT_H

#include "base/die.h"

/* For die_init(): out of the ucontext_t of sigaction(2). */
struct fault_place arch_fault_place(const void *context);

#endif
