/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guards are sites at functions by which a program and a tracer of it get in
 * each other's way: sigaction(), pthread_sigmask(), ptrace(). Their calls are
 * not shown. In a program that makes the system call rt_sigaction(2) itself,
 * because it has no loader or because it is written in Go, the guards are
 * behind these system calls instead of at sigaction().
 */
#ifndef TRACER_SIGTRAP_GUARDS_H
#define TRACER_SIGTRAP_GUARDS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>

struct hit;

enum guard_kind {
	GUARD_ACTION,	   /* at the entry of sigaction() */
	GUARD_ACTION_MADE, /* behind rt_sigaction(2) */
	GUARD_MASK,
	GUARD_PTRACE,
	GUARDS
};

struct guard {
	addr_t address;
	enum guard_kind kind;
};

/* Those of a space. */
struct guards {
	vec_of(struct guard) list;
	unsigned changes; /* of the modules, when they were looked at */
};

struct life;
struct program;
struct thread;

/* At an attach, or at the exec of a program without a loader, which may run far
 * before it hits a site: through the stopped thread, where there is a home. 0
 * or -ESRCH. */
must_check int guards_plant(struct program *program, struct thread *thread);

/* They are copied with the memory. */
extern const struct life guards_life;

/* Is the function at the entry sigaction(), of whichever module? */
bool guards_action(const struct program *program, addr_t entry);

/* The thread was let go of: it is not ours any more. */
#define GUARDS_LET_GO 1

/*
 * A thread has hit a site and its pc is set already: new modules are guarded,
 * and if the site is a guard's, what is to be done is done. 0, -ESRCH,
 * GUARDS_LET_GO.
 */
must_check int guards_after_hit(struct hit *hit);

#endif
