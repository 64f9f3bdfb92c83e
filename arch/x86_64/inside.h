/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the handler that stays in a program needs of x86-64. The contracts are
 * in arch/inside.h, the one file that includes this. */
#ifndef ARCH_X86_64_INSIDE_H
#define ARCH_X86_64_INSIDE_H

#include "arch/inside.h"
#include "arch/x86/inside_trap.h"

/* The trap flag, TF (Intel SDM 3B 18.3.1.4). */
#define INSIDE_TRAP_FLAG 0x100

#define INSIDE_HAS_NARROW
#define INSIDE_SECTION "inside"
#define INSIDE_HANDLE inside_handle

#define INSIDE_ANCHOR                                  \
	__asm__(".section inside, \"ax\", @progbits\n" \
		"inside_anchor:\n"                     \
		"	.quad 0, 0\n"                        \
		".previous\n")

#define INSIDE_ENTRY                                       \
	__asm__(".section inside, \"ax\", @progbits\n"     \
		".globl inside_handler, inside_restorer\n" \
		"inside_handler:\n"                        \
		"	jmp inside_handle\n"                     \
		"inside_restorer:\n"                       \
		"	mov $15, %eax\n"                         \
		"	syscall\n"                               \
		".previous\n")

INSIDE_INLINE long
inside_call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

INSIDE_INLINE const void *
inside_anchor_address(void)
{
	const void *anchor;

	__asm__("lea inside_anchor(%%rip), %0" : "=r"(anchor));
	return anchor;
}

INSIDE_INLINE uint64_t
inside_pc(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP];
}

INSIDE_INLINE void
inside_set_pc(ucontext_t *context, uint64_t pc)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}

INSIDE_INLINE bool
inside_stepping(const ucontext_t *context)
{
	return context->uc_mcontext.gregs[REG_EFL] & INSIDE_TRAP_FLAG;
}

INSIDE_INLINE void
inside_stop_stepping(ucontext_t *context)
{
	context->uc_mcontext.gregs[REG_EFL] &= ~INSIDE_TRAP_FLAG;
}

INSIDE_INLINE volatile uint64_t *
inside_mask(ucontext_t *context)
{
	return (volatile uint64_t *)&context->uc_sigmask;
}

INSIDE_INLINE bool
inside_has_shadow_stack(void)
{
	uint64_t pointer = 0;

	__asm__ volatile("rdsspq %0" : "+r"(pointer));
	return pointer != 0;
}

/* The kernel's layout of a signal frame's ucontext_t. The C library's
 * ucontext_t has a longer mask. */
struct inside_context {
	unsigned long flags;
	void *link;
	stack_t stack;
	mcontext_t machine;
	uint64_t mask;
};

/* The kernel clears these flags for a handler: TF, DF, RF
 * (arch/x86/kernel/signal.c). */
#define INSIDE_HANDLER_CLEARS UINT64_C(0x10500)

INSIDE_INLINE void
inside_become(uint64_t handler, uint64_t restorer, int signal, siginfo_t *info,
	      ucontext_t *context, uint64_t mask)
{
	struct inside_context next;
	greg_t *registers;
	uint64_t *frame = (uint64_t *)context - 1, size = sizeof(next);
	void *to = &next, *from = context;

	__asm__ volatile("rep movsb"
			 : "+D"(to), "+S"(from), "+c"(size)
			 :
			 : "memory");
	/* If SS_AUTODISARM has disabled the alternate stack, it must stay
	 * disabled. */
	inside_call(SYS_sigaltstack, 0, (long)&next.stack, 0, 0);
	registers = next.machine.gregs;
	if (restorer)
		*frame = restorer;
	registers[REG_RIP] = (greg_t)handler;
	registers[REG_RSP] = (greg_t)frame;
	registers[REG_RDI] = signal;
	registers[REG_RSI] = (greg_t)info;
	registers[REG_RDX] = (greg_t)context;
	registers[REG_RAX] = 0;
	registers[REG_EFL] &= (greg_t)~INSIDE_HANDLER_CLEARS;
	next.machine.fpregs = 0; /* a handler starts with fresh FPU state */
	next.mask = mask;
	__asm__ volatile("mov %0, %%rsp\n"
			 "mov $15, %%eax\n"
			 "syscall\n"
			 "ud2"
			 :
			 : "r"(&next)
			 : "memory");
	__builtin_unreachable();
}

#endif
