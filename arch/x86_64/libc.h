/* SPDX-License-Identifier: GPL-2.0-or-later */
/* C libraries of x86-64. The contracts are in arch/libc.h. */
#ifndef ARCH_X86_64_LIBC_H
#define ARCH_X86_64_LIBC_H

#include "arch/libc.h"

extern const struct arch_libc x86_64_libc;

#endif
