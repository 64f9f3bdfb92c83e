/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is learned from i386 code. The contract is in arch/code.h. */
#ifndef ARCH_I386_CODE_H
#define ARCH_I386_CODE_H

#include "arch/code.h"

extern const struct arch_code i386_code;

#endif
