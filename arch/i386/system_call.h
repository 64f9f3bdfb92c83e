/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls of i386 programs. They have numbers of their own. In struct
 * arch_system_call a call has the number of xtrace's own system call of the
 * same name, if both take the same arguments in the same order; else a number
 * from I386_ONLY on.
 */
#ifndef ARCH_I386_SYSTEM_CALL_H
#define ARCH_I386_SYSTEM_CALL_H

#include "arch/arch.h"

/* I386_ONLY is more than every number of xtrace's own system calls. */
#define I386_ONLY 1024

/* The kernel's numbers, as in syscall_32.tbl. */
#define I386_WAITPID 7
#define I386_SIGSUSPEND 72
#define I386_SOCKETCALL 102
#define I386_CLONE 120
#define I386_NEWSELECT 142
#define I386_MMAP2 192
#define I386_CLOCK_NANOSLEEP_TIME64 407
#define I386_PSELECT6_TIME64 413
#define I386_PPOLL_TIME64 414
#define I386_IO_PGETEVENTS_TIME64 416
#define I386_RT_SIGTIMEDWAIT_TIME64 421
#define I386_FUTEX_TIME64 422

extern const struct arch_system_call i386_system_call;

/* i386_number_known_as() changes the kernel's number for i386 into the number
 * of struct arch_system_call; i386_number_of() changes it back. A kernel's
 * number without a name becomes I386_ONLY plus the number. i386_number_of()
 * does not change a negative number, and the number of a call that i386 does
 * not have becomes I386_ONLY. */
long i386_number_known_as(long number);
long i386_number_of(long known);

/* The functions of struct arch_system_call for i386. */
const char *i386_system_call_name(long known);
long i386_system_call_count(void);

#endif
