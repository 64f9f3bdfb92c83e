/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where C libraries of i386 keep data of a thread. See arch/libc.h. */
#ifndef ARCH_I386_LIBC_H
#define ARCH_I386_LIBC_H

#include "arch/libc.h"

extern const struct arch_libc i386_libc;

#endif
