/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How i386 code uses its imports. The contract is in arch/imports.h. */
#ifndef ARCH_I386_IMPORTS_H
#define ARCH_I386_IMPORTS_H

#include "arch/imports.h"

extern const struct arch_imports i386_imports;

#endif
