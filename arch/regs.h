/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a stopped thread. The general registers are always fetched.
 * The vector and floating-point registers are fetched only if an argument needs
 * them, because that costs another system call.
 *
 * ptrace(2) gives the registers of all programs of a machine in one form, which
 * is the form of xtrace's own CPU. So struct regs and these functions are
 * chosen when xtrace is compiled: arch/CPU/regs.h defines them. What depends on
 * the kind of program, such as the register of an argument, is in struct arch.
 */
#ifndef ARCH_REGS_H
#define ARCH_REGS_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

struct arch;
struct regs;
struct vregs;

/*
 * Where values/ gets arguments from. vregs is called only if needed, and
 * returns NULL if the registers are not available.
 */
struct registers {
	const struct arch *arch; /* NULL: of xtrace's own kind of program */
	const struct regs *regs;
	const struct vregs *(*vregs)(struct registers *registers);
	/* A bit for each integer argument whose register was overwritten. */
	unsigned unknown;
	/* The arguments of a system call, REGISTERS_SYSTEM_CALL of them; NULL:
	 * the registers are those of a function's call. */
	const uint64_t *system_call;
};

/* The most arguments of a system call. */
#define REGISTERS_SYSTEM_CALL 6u

static inline addr_t regs_pc(const struct regs *regs);
static inline void regs_set_pc(struct regs *regs, addr_t pc);
static inline addr_t regs_sp(const struct regs *regs);
static inline void regs_set_sp(struct regs *regs, addr_t sp);

/* The thread pointer: pthread_self() with glibc and musl. */
static inline addr_t regs_thread_pointer(const struct regs *regs);
static inline void regs_set_thread_pointer(struct regs *regs, addr_t pointer);

/* Does the thread single-step (TRAP_TRACE after its next instruction)? The flag
 * is in the registers, so it survives xtrace if xtrace is killed
 * (process/nudge.c). */
static inline bool regs_stepping(const struct regs *regs);
static inline void regs_set_stepping(struct regs *regs, bool stepping);

/* Are the two sets of registers equal, except for what a trap and the system
 * call before the trap have changed? */
static inline bool regs_same(const struct regs *a, const struct regs *b);

/*
 * The ptrace(2) requests that fetch or store registers; process/regs makes them
 * in order. Each function fills in requests and returns how many.
 */
struct regs_request {
	long what;
	unsigned long address;
	void *data;
	struct iovec vector; /* the member data may point to it */
};
#define REGS_REQUESTS_MOST 2

static inline unsigned regs_fetching(struct regs *regs,
				     struct regs_request *requests);
static inline unsigned regs_storing(const struct regs *regs,
				    struct regs_request *requests);
/* Stores the pc alone, if that costs less than storing all registers. */
static inline unsigned regs_storing_pc(const struct regs *regs,
				       struct regs_request *requests);
static inline unsigned vregs_fetching(struct vregs *vregs,
				      struct regs_request *requests);

/* xtrace's own CPU. */
#if defined(__x86_64__)
#include "arch/x86_64/regs.h"
#else
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
