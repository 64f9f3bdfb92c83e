/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of i386 by DWARF's numbers. The contract is in arch/arch.h. */
#ifndef ARCH_I386_DWARF_H
#define ARCH_I386_DWARF_H

#include "arch/arch.h"

extern const struct arch_dwarf i386_dwarf;

#endif
