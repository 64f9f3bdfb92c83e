/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the handler that stays in a program (breakpoints/outlive/inside) needs
 * of the CPU. The handler is copied as bytes, so all functions of this header
 * are inlined into it, and call nothing. arch/CPU/inside.h defines them, and
 * these macros:
 *
 *	INSIDE_ANCHOR	at file level: the first two words of the section
 *			"inside", with the symbol inside_anchor
 *	INSIDE_ENTRY	at file level, in the section "inside": inside_handler,
 *			which goes to inside_handle(signal, info, context), and
 *			inside_restorer, which makes rt_sigreturn(2)
 *	INSIDE_TRAP_CODE
 *			the kernel's si_code after a trapping instruction
 *	INSIDE_TRAP_BEHIND
 *			the pc after a planted trap, minus the trap's address
 *	INSIDE_TRAP_LONGEST
 *			the most bytes of a trapping instruction
 */
#ifndef ARCH_INSIDE_H
#define ARCH_INSIDE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#define INSIDE_INLINE static inline __attribute__((always_inline))

/* Makes a system call; the result is the kernel's. */
INSIDE_INLINE long inside_call(long number, long a, long b, long c, long d);

/* The address of the anchor, of whose content the compiler assumes nothing. */
INSIDE_INLINE const void *inside_anchor_address(void);

/*
 * The next functions read and change the registers of the thread that the
 * signal interrupted, as sigreturn(2) will set them.
 */
INSIDE_INLINE uint64_t inside_pc(const ucontext_t *context);
INSIDE_INLINE void inside_set_pc(ucontext_t *context, uint64_t pc);
INSIDE_INLINE bool inside_stepping(const ucontext_t *context);
INSIDE_INLINE void inside_stop_stepping(ucontext_t *context);

/* Is there a trapping instruction right before pc? The INSIDE_TRAP_LONGEST
 * bytes before pc must be readable. */
INSIDE_INLINE bool inside_after_trap(const volatile unsigned char *pc);

/* Does the thread have a shadow stack? With one, the CPU refuses to return to
 * an address that no call has stored. */
INSIDE_INLINE bool inside_has_shadow_stack(void);

/*
 * Continues as if the kernel had called the program's handler for the signal,
 * with this mask. restorer is the sa_restorer of the program's action, or 0.
 * One sigreturn sets mask and pc together: afterwards our frame is not on the
 * stack, and no signal was delivered in between. The memory below the stack
 * pointer is free.
 */
INSIDE_INLINE void inside_become(uint64_t handler, uint64_t restorer,
				 int signal, siginfo_t *info,
				 ucontext_t *context, uint64_t mask);

#if defined(__x86_64__)
#include "arch/x86_64/inside.h"
#else
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
