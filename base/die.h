/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last acts. Whatever ends us early (no memory, a failed assertion, a
 * fault of ours) first carries out the acts that rooms have registered here,
 * such as lifting the traps from the tracees, newest first, then says why on
 * the kept descriptor, with the debug ring behind it, and leaves.
 *
 * An act runs in a broken process, perhaps in a signal handler: it may use
 * system calls and memory it already has, and nothing else.
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include "base/attr.h"

#include <stdint.h>

struct last_act {
	void (*run)(struct last_act *act);
	struct last_act *next;
};

/* How we end after the last words, where there is more to it than _exit(1),
 * under the same rules: run() ends the process or its thread, or returns. */
struct last_exit {
	void (*run)(struct last_exit *last);
};

/* The registers of a fault that say what code was at work. */
struct fault_place {
	uintptr_t pc;
	uintptr_t sp;
};
typedef struct fault_place fault_place_fn(const void *context);

/*
 * Keeps the descriptor for the last words and takes SIGABRT, SIGSEGV, SIGBUS,
 * SIGILL and SIGFPE on a stack of their own. place reads the third argument of
 * a handler (sigaction(2)); without it a fault does not say where it was. Call
 * once, early in main.
 */
void die_init(int descriptor, fault_place_fn *place);

/* A stack of its own for the calling thread's faults, so that one which has
 * used up its stack can say so. For each thread but the one of die_init(). */
void die_thread(void);
/* At such a thread's end: a sanitizer unmaps the stack that it finds there. */
void die_thread_ends(void);

/* Links act, owned by the caller, in front of the others. A fault's signal that
 * somebody sends is dealt with in the thread that called this last. */
void die_register(struct last_act *act);
void die_unregister(struct last_act *act);

/* The caller's, or NULL again. It is run once. */
void die_exit_by(struct last_exit *last);

/* Runs the last acts, prints "xtrace: ..." and exits with status 1. */
never_returns void die(const char *format, ...) printf_like(1, 2);

#endif
