/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a stopped thread: the general ones always, the vector and
 * floating-point ones only when an argument needs them (fetching them is one
 * system call more).
 *
 * ptrace(2) gives the registers of all programs of a machine in one form, which
 * is that of xtrace's own CPU. So struct regs and these functions are chosen
 * when xtrace is compiled: arch/CPU/regs.h defines them. What depends on the
 * kind of program, such as the register of an argument, is in struct arch.
 */
#ifndef ARCH_REGS_H
#define ARCH_REGS_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

struct regs;
struct vregs;

/*
 * What values/ fetches arguments from. vregs is called at most when needed
 * and answers NULL where they cannot be had.
 */
struct registers {
	const struct regs *regs;
	const struct vregs *(*vregs)(struct registers *registers);
	/* Integer arguments that are not there any more: a bit for each. */
	unsigned unknown;
};

static inline addr_t regs_pc(const struct regs *regs);
static inline void regs_set_pc(struct regs *regs, addr_t pc);
static inline addr_t regs_sp(const struct regs *regs);
static inline void regs_set_sp(struct regs *regs, addr_t sp);

/* The thread pointer: pthread_self() with glibc and musl. */
static inline addr_t regs_thread_pointer(const struct regs *regs);
static inline void regs_set_thread_pointer(struct regs *regs, addr_t pointer);

/* Does the thread trap behind its next instruction, with TRAP_TRACE? The flag
 * is in the registers, so it stays when xtrace is killed (process/nudge.c). */
static inline bool regs_stepping(const struct regs *regs);
static inline void regs_set_stepping(struct regs *regs, bool stepping);

/* Are they equal, except for what a trap and the system call before it have
 * changed? */
static inline bool regs_same(const struct regs *a, const struct regs *b);

/*
 * How ptrace(2) moves registers: requests, which process/regs makes in their
 * order. Each function fills in requests and returns how many there are.
 */
struct regs_request {
	long what;
	unsigned long address;
	void *data;
	struct iovec vector; /* data may point to it */
};
#define REGS_REQUESTS_MOST 2

static inline unsigned regs_fetching(struct regs *regs,
				     struct regs_request *requests);
static inline unsigned regs_storing(const struct regs *regs,
				    struct regs_request *requests);
/* The pc alone, if a request for it costs less than one for all. */
static inline unsigned regs_storing_pc(const struct regs *regs,
				       struct regs_request *requests);
static inline unsigned vregs_fetching(struct vregs *vregs,
				      struct regs_request *requests);

/* The CPU of xtrace itself. */
#if defined(__x86_64__)
#include "arch/x86_64/regs.h"
#else
#error "a CPU without code of its own: docs/HOUSE.md, \"A second CPU\""
#endif

#endif
