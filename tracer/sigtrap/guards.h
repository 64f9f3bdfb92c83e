/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Guards are sites at functions with which a program interferes with its
 * tracer: sigaction(), pthread_sigmask(), ptrace(), posix_spawn(). Calls of
 * them are not shown. Some programs make the system call rt_sigaction(2)
 * themselves, because they have no loader or are written in Go. There the
 * guards are behind these system calls instead of at sigaction().
 */
#ifndef TRACER_SIGTRAP_GUARDS_H
#define TRACER_SIGTRAP_GUARDS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>

struct hit;

enum guard_kind {
	GUARD_ACTION, /* the guard at the entry of sigaction() */
	/* the guard behind an rt_sigaction(2) of the program's own code */
	GUARD_ACTION_MADE,
	GUARD_MASK,
	GUARD_PTRACE,
	GUARD_SPAWN,
	GUARD_SPAWN_FILE,
	/* The guards at the functions of exec are planted only if calls are
	 * counted inside the program: the counts are read before the exec
	 * replaces the memory. */
	GUARD_EXEC,
	GUARD_EXEC_AT,
	GUARD_EXEC_FILE,
	GUARDS
};

struct guard {
	addr_t address;
	uint64_t size; /* of the guarded function; 0 if unknown */
	enum guard_kind kind;
};

/* The guards of a space. */
struct guards {
	vec_of(struct guard) list;
	/* the modules' count of changes when they were last searched */
	unsigned changes;
	/* the highest serial of a module that was searched; modules that are
	 * loaded later have higher ones */
	unsigned searched;
	bool incomplete; /* a guard could not be planted */
};

struct life;
struct program;
struct thread;

/* Plants guards at an attach, or at the exec of a program without a loader,
 * because such a program may run long before it hits a site. The stopped thread
 * is the host of the injected calls; NULL: the handler area exists, and has
 * room for slots. Does nothing without a handler area. 0 or -ESRCH. */
must_check int guards_plant(struct program *program, struct thread *thread);

/* Gives the program of a fork's child copies of its parent's guards. */
extern const struct life guards_life;

/* Is the function at the entry sigaction(), in any module? */
bool guards_action(const struct program *program, addr_t entry);

/* May a thread with this pc be inside a guarded pthread_sigmask(), so that its
 * mask is about to change? */
bool guards_in_mask(const struct program *program, addr_t pc);

/* xtrace has let the thread go and must not touch it. */
#define GUARDS_LET_GO 1

/*
 * A thread has hit a site, and its pc is already set. Guards new modules; if
 * the site is a guard's, does the guard's work. 0, -ESRCH, GUARDS_LET_GO.
 */
must_check int guards_after_hit(struct hit *hit);

#endif
