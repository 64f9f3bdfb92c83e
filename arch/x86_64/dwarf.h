/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of x86-64 by their DWARF numbers. */
#ifndef ARCH_X86_64_DWARF_H
#define ARCH_X86_64_DWARF_H

#include "arch/arch.h"

extern const struct arch_dwarf x86_64_dwarf;

#endif
