/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the kernel gives the handler of a signal in an i386 program, for
 * arch/inside.h. The names are those of the C library's headers, which the
 * handler is compiled without. The layouts and numbers are the kernel's
 * (arch/x86/include/asm/sigframe.h, uapi/asm/sigcontext.h, unistd_32.h).
 */
#ifndef ARCH_I386_INSIDE_KERNEL_H
#define ARCH_I386_INSIDE_KERNEL_H

#include <stdint.h>

#define SIGTRAP 5
#define SI_KERNEL 0x80
#define TRAP_TRACE 2
#define SA_RESETHAND 0x80000000u
#define SIG_SETMASK 2
#define SIG_DFL ((void *)0)
#define SIG_IGN ((void *)1)

#define SYS_getpid 20
#define SYS_rt_sigreturn 173
#define SYS_rt_sigaction 174
#define SYS_rt_sigprocmask 175
#define SYS_sigaltstack 186
#define SYS_gettid 224
#define SYS_tgkill 270

/* The members of siginfo_t that all signals have. */
typedef struct {
	int32_t si_signo;
	int32_t si_errno;
	int32_t si_code;
	uint32_t rest[29];
} siginfo_t;

/* struct ucontext_ia32, with struct sigcontext_32 in it. */
typedef struct {
	uint32_t flags;
	uint32_t link;
	uint32_t stack[3];
	uint32_t gs, fs, es, ds;
	uint32_t edi, esi, ebp, esp, ebx, edx, ecx, eax;
	uint32_t trap, error;
	uint32_t eip, cs, eflags, esp_at_signal, ss;
	uint32_t fpstate;
	uint32_t old_mask, cr2;
	uint32_t mask[2];
} ucontext_t;

#endif
