/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of i386 functions. The contract is in arch/arch.h. */
#ifndef ARCH_I386_CALLING_H
#define ARCH_I386_CALLING_H

#include "arch/arch.h"

extern const struct arch_calling i386_calling;

#endif
