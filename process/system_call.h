/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a thread does that has stopped at a system call. */
#ifndef PROCESS_SYSTEM_CALL_H
#define PROCESS_SYSTEM_CALL_H

#include "arch/regs.h"
#include "base/attr.h"
#include "process/thread.h"

struct system_call_stop {
	bool entry; /* true: the entry of the call; false: its end */
	/* The kind of program whose numbers and arguments the call has; NULL:
	 * xtrace does not know the kind. The call is foreign if this is not the
	 * kind of the program that makes it. */
	const struct arch *arch;
	bool foreign;
	/* The number and the arguments are set only at the entry. If the kind
	 * is known, known_as() of its struct arch_system_call has translated
	 * the number. */
	long number;
	long own_number; /* as the kernel gives it */
	uint64_t arguments[REGISTERS_SYSTEM_CALL];
	/* Only at the end: -errno, or one of the kernel's own codes for a
	 * restart, if failed is true. */
	int64_t result;
	bool failed;
	addr_t pc, sp; /* pc: behind the instruction */
};

/* Reads what the thread does at a STOP_SYSCALL. Returns 0; -ESRCH; -ENODATA if
 * the stop is at no system call. */
must_check int thread_system_call(struct table *table, struct thread *thread,
				  struct system_call_stop *ret_stop);

/* The kind of program whose numbers has the system call that the stopped thread
 * is in, or was in last; NULL: the kernel does not tell, or xtrace does not
 * know the kind. It is not always the kind of the program: a 64-bit program can
 * make calls of i386 (int 0x80). */
const struct arch *thread_call_arch(struct table *table,
				    const struct thread *thread);

/* The kernel's codes for a call that it restarts (include/linux/errno.h): only
 * a tracer sees them, as negative results. */
enum {
	RESTARTSYS = 512,
	RESTARTNOINTR = 513,
	RESTARTNOHAND = 514,
	RESTART_RESTARTBLOCK = 516
};

/* Is the result one of the kernel's codes for a restart? */
bool system_call_restarts(int64_t result);

#endif
