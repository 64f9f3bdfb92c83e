/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A system call of xtrace itself and nothing around it, for those that are made
 * at every stop: the C library's are cancellation points in a process with
 * threads, and have arguments of variable number.
 *
 * arch/CPU/syscall.h defines it. A CPU that lacks a system call which the rooms
 * above name (SYS_pause, SYS_vfork) defines a negative number for it there, a
 * different one for each: it then equals no number that a program can have.
 */
#ifndef ARCH_SYSCALL_H
#define ARCH_SYSCALL_H

#include <sys/syscall.h>

/* What the kernel answers: -errno if it failed. */
static inline long system_call(long number, long a, long b, long c, long d,
			       long e);

#if defined(__x86_64__)
#include "arch/x86_64/syscall.h"
#else
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
