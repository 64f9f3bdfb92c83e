/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of functions in x86-64 programs, by registers and memory. */
#ifndef ARCH_X86_64_CALLING_H
#define ARCH_X86_64_CALLING_H

#include "arch/arch.h"

extern const struct arch_calling x86_64_calling;

#endif
