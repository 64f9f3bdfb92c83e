/* SPDX-License-Identifier: GPL-2.0-or-later */
/* i386 programs, which x86-64's CPUs and kernels run beside their own. */
#ifndef ARCH_I386_I386_H
#define ARCH_I386_I386_H

#include "arch/arch.h"

extern const struct arch i386;

#endif
