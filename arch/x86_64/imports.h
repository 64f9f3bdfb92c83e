/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How x86-64 code uses imports. The contracts are in arch/imports.h. */
#ifndef ARCH_X86_64_IMPORTS_H
#define ARCH_X86_64_IMPORTS_H

#include "arch/imports.h"

extern const struct arch_imports x86_64_imports;

#endif
