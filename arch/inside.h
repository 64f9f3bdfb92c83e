/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the handler that stays in a program (breakpoints/outlive/inside) needs
 * of the kind of program. The handler is copied as bytes, so all functions of
 * this header are inlined into it, and call nothing. arch/KIND/inside.h defines
 * them, and these macros:
 *
 *	INSIDE_SECTION	the name of the section with the handler
 *	INSIDE_ANCHOR	at file level: the first 16 bytes of the section
 *	INSIDE_HANDLE	the name of the function of the handler
 *	INSIDE_ENTRY	at file level, in the section: struct inside_code's
 *			handler, which goes to INSIDE_HANDLE(signal, info,
 *			context), and its restorer, which makes
 *			rt_sigreturn(2); without a restorer, the handler makes
 *			this call itself
 *	INSIDE_HAS_NARROW
 *			this CPU also runs programs with addresses of 4 bytes,
 *			for which the handler is compiled once more, with the
 *			names "inside_narrow" and inside_narrow_handler
 *	INSIDE_TRAP_CODE
 *			the kernel's si_code after a trapping instruction
 *	INSIDE_TRAP_BEHIND
 *			the pc after a planted trap, minus the trap's address
 *	INSIDE_TRAP_LONGEST
 *			the most bytes of a trapping instruction
 */
#ifndef ARCH_INSIDE_H
#define ARCH_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#define INSIDE_INLINE static inline __attribute__((always_inline))

/* The handler of 32-bit programs is compiled without headers of a C library,
 * because the library for 32-bit programs need not be installed. */
#if defined(__i386__)
#include "arch/i386/inside.h"
#else
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#endif

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
/* The first 64 signals of the mask. */
INSIDE_INLINE volatile uint64_t *inside_mask(ucontext_t *context);

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
#elif !defined(__i386__)
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
