/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A direct system call of xtrace itself, for the calls that are made at every
 * stop. The C library's functions are cancellation points in a process with
 * threads, and some have a variable number of arguments.
 *
 * arch/CPU/syscall.h defines it. A CPU that lacks a system call which other
 * rooms name (SYS_pause, SYS_vfork) defines a negative number for it there, a
 * different one for each, so that it never equals a number that a program uses.
 */
#ifndef ARCH_SYSCALL_H
#define ARCH_SYSCALL_H

#include <sys/syscall.h>

/* Returns what the kernel returns: -errno if the call failed. */
static inline long system_call(long number, long a, long b, long c, long d,
			       long e);

#if defined(__x86_64__)
#include "arch/x86_64/syscall.h"
#else
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
