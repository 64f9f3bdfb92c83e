/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracee for tests of virtual masks: a stopped copy of the test, one of whose
 * functions has a trap. There is one at a time.
 */
#ifndef TESTS_UNIT_TRACER_MASKED_H
#define TESTS_UNIT_TRACER_MASKED_H

#include "process/siginfo.h"
#include "tests/unit/tracer/stage.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define BIT(signal) SIGNAL_BIT(signal)
#define FIXED (BIT(SIGKILL) | BIT(SIGSTOP))
/* The signals with which glibc cancels threads and changes user ids of all
 * threads. The C library blocks them only around a clone. */
#define LIBRARY (BIT(32) | BIT(33))
#define ALL (~FIXED)
#define REAL (ALL & ~TRAP_BIT)

struct masked {
	struct stage stage;
	struct thread *thread;
	struct thread_record *record;
	struct program *program;
	struct virtual_mask *own; /* the thread's */
};
extern struct masked masked;

/* Makes the copy, which calls `run`. */
void masked_open(void (*run)(void));
/* Makes the copy, which blocks all signals and is then stopped. */
void masked_open_stopped(void);
void masked_close(void);

/* Stops the thread. */
void masked_stop(void);

/* The thread's mask in the kernel. */
void masked_set(uint64_t mask);
uint64_t masked_in_kernel(void);

/* Sets whether the program catches SIGTRAP. */
void masked_catches(bool is);

#endif
