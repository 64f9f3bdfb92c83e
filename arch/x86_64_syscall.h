/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A system call and nothing around it, for those that are made at every stop:
 * the C library's are cancellation points in a process with threads, and have
 * arguments of variable number.
 */
#ifndef ARCH_X86_64_SYSCALL_H
#define ARCH_X86_64_SYSCALL_H

/* What the kernel answers: -errno where it failed. */
static inline long
system_call(long number, long a, long b, long c, long d, long e)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			   "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

#endif
