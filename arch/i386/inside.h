/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the handler that stays in a program needs of i386. The contracts are in
 * arch/inside.h, the one file that includes this. It is compiled as 32-bit
 * code, and assembled into an object of x86-64 (GNUmakefile).
 *
 * xtrace's action has no restorer, so the return address in the kernel's frame
 * is __kernel_rt_sigreturn of the vdso, even if the program's handler runs in
 * place of xtrace's handler. The program's handler returns there, so there may
 * be a trap at this address. xtrace's handler must not run into that trap. So
 * it makes rt_sigreturn(2) itself, with the stack pointer where a return would
 * have left it.
 */
#ifndef ARCH_I386_INSIDE_H
#define ARCH_I386_INSIDE_H

#include "arch/inside.h"
#include "arch/x86/inside_trap.h"

/* In 64-bit code this header is empty. */
#if defined(__i386__)
#include "arch/i386/inside_kernel.h"

/* The trap flag, TF (Intel SDM 3B 18.3.1.4). */
#define INSIDE_TRAP_FLAG 0x100u

#define INSIDE_SECTION "inside_narrow"
#define INSIDE_HANDLE inside_narrow_handle

#define INSIDE_ANCHOR                                         \
	__asm__(".section inside_narrow, \"ax\", @progbits\n" \
		"inside_narrow_anchor:\n"                     \
		"	.long 0, 0, 0, 0\n"                         \
		".previous\n")

#define INSIDE_ENTRY                                          \
	__asm__(".section inside_narrow, \"ax\", @progbits\n" \
		".globl inside_narrow_handler\n"              \
		"inside_narrow_handler:\n"                    \
		"	pushl 12(%esp)\n"                           \
		"	pushl 12(%esp)\n"                           \
		"	pushl 12(%esp)\n"                           \
		"	call inside_narrow_handle\n"                \
		"	addl $16, %esp\n"                           \
		"	movl $173, %eax\n"                          \
		"	int $0x80\n"                                \
		".previous\n")

INSIDE_INLINE long
inside_call(long number, long a, long b, long c, long d)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory");
	return result;
}

INSIDE_INLINE const void *
inside_anchor_address(void)
{
	const void *anchor;

	__asm__("call 1f\n"
		"1: popl %0\n"
		"subl $(1b - inside_narrow_anchor), %0"
		: "=r"(anchor));
	return anchor;
}

INSIDE_INLINE uint64_t
inside_pc(const ucontext_t *context)
{
	return context->eip;
}

INSIDE_INLINE void
inside_set_pc(ucontext_t *context, uint64_t pc)
{
	context->eip = (uint32_t)pc;
}

INSIDE_INLINE bool
inside_stepping(const ucontext_t *context)
{
	return context->eflags & INSIDE_TRAP_FLAG;
}

INSIDE_INLINE void
inside_stop_stepping(ucontext_t *context)
{
	context->eflags &= ~INSIDE_TRAP_FLAG;
}

INSIDE_INLINE volatile uint64_t *
inside_mask(ucontext_t *context)
{
	return (volatile uint64_t *)(void *)context->mask;
}

/* The kernel gives 32-bit programs no shadow stack. */
INSIDE_INLINE bool
inside_has_shadow_stack(void)
{
	return false;
}

/* struct rt_sigframe_ia32 of the kernel. rt_sigreturn(2) expects the stack
 * pointer at `signal`, because a handler's return removes `back`. */
struct inside_narrow_frame {
	uint32_t back;
	uint32_t signal;
	uint32_t info_at;
	uint32_t context_at;
	siginfo_t info;
	ucontext_t context;
};

/* The kernel clears these flags for a handler: TF, DF, RF
 * (arch/x86/kernel/signal.c). */
#define INSIDE_HANDLER_CLEARS 0x10500u

/* The frame that the kernel has made for xtrace's handler becomes the frame of
 * the program's handler. A handler without SA_SIGINFO finds its argument at the
 * same place of the stack. */
INSIDE_INLINE void
inside_become(uint64_t handler, uint64_t restorer, int signal, siginfo_t *info,
	      ucontext_t *context, uint64_t mask)
{
	struct inside_narrow_frame next;
	const uint32_t frame =
		(uint32_t)(uintptr_t)context -
		__builtin_offsetof(struct inside_narrow_frame, context);
	uint32_t size = sizeof(next.context);
	void *to = &next.context, *from = context;

	(void)restorer;
	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(size)
			 :
			 : "memory");
	/* If SS_AUTODISARM has disabled the alternate stack, it must stay
	 * disabled. */
	inside_call(SYS_sigaltstack, 0, (long)next.context.stack, 0, 0);
	next.context.eip = (uint32_t)handler;
	next.context.esp = frame;
	next.context.eax = (uint32_t)signal;
	next.context.edx = (uint32_t)(uintptr_t)info;
	next.context.ecx = (uint32_t)(uintptr_t)context;
	next.context.eflags &= ~INSIDE_HANDLER_CLEARS;
	next.context.fpstate = 0; /* a handler starts with fresh FPU state */
	next.context.mask[0] = (uint32_t)mask;
	next.context.mask[1] = (uint32_t)(mask >> 32);
	__asm__ volatile("movl %0, %%esp\n"
			 "movl $173, %%eax\n"
			 "int $0x80\n"
			 "ud2"
			 :
			 : "r"(&next.signal)
			 : "memory");
	__builtin_unreachable();
}

#endif
#endif
