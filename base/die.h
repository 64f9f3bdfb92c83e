/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last acts. When xtrace must end early (no memory, a failed assertion, a
 * fault), it first runs the acts that rooms have registered here, the newest
 * first. One of them removes the traps from the tracees. Then xtrace writes the
 * reason and the debug ring to the kept descriptor and exits.
 *
 * An act runs in a broken process and perhaps in a signal handler. It may make
 * system calls and use memory that it already has, and nothing else.
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>

struct last_act {
	void (*run)(struct last_act *act);
	struct last_act *next;
};

/* What to do after the last words instead of _exit(1). The rules of struct
 * last_act apply. run() ends the process or its thread, or returns. */
struct last_exit {
	void (*run)(struct last_exit *last);
};

/* The registers that show which code caused a fault. */
struct fault_place {
	uintptr_t pc;
	uintptr_t sp;
};
typedef struct fault_place fault_place_fn(const void *context);

/*
 * Keeps the descriptor for the last words, and handles SIGABRT, SIGSEGV,
 * SIGBUS, SIGILL and SIGFPE on a separate stack. place gets the third argument
 * of a signal handler (sigaction(2)); if place is NULL, the code that caused a
 * fault is not printed. Call this once, early in main.
 */
void die_init(int descriptor, fault_place_fn *place);

/* Gives the calling thread a separate stack for the handler, so that a stack
 * overflow can be reported. Each thread calls this, except the thread that
 * called die_init(). */
void die_thread(void);
/*
 * A thread that has called die_thread() calls this at its end. Otherwise a
 * sanitizer would unmap the separate stack.
 */
void die_thread_ends(void);

/* Links act, which the caller owns, in front of the others. If another process
 * sends xtrace the signal of a fault, the thread that called this function last
 * handles it. */
void die_register(struct last_act *act);
void die_unregister(struct last_act *act);

/*
 * Called in the handler of a SIGSEGV that the kernel sent, before the last
 * acts: address is what could not be accessed, pc the code that tried. If it
 * returns, xtrace dies; it may leave the handler with siglongjmp(3).
 */
typedef void fault_catch_fn(uintptr_t address, uintptr_t pc);
/* Sets the function that is called in the handler of a SIGSEGV, for all
 * threads. This needs a call of die_init() with a place. */
void die_catch_by(fault_catch_fn *catch_fault);

/* The code that was running when a signal came; context is the third argument
 * of the handler. 0 if die_init() got no place. */
uintptr_t die_pc(const void *context);

/* True if pc is in xtrace's own executable, not in a library. */
bool die_is_own_code(uintptr_t pc);

/* Writes text to the kept descriptor. Async-signal-safe. */
void die_say(const char *text);

/* Sets what is done after the last acts, in place of what was set before; NULL:
 * nothing. It is run only once. The caller owns it. */
void die_exit_by(struct last_exit *last);

/* Runs the last acts, prints "xtrace: ..." and exits with status 1. */
never_returns void die(const char *format, ...) printf_like(1, 2);

#endif
