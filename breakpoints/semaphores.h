/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A semaphore is a counter in the program's data: how many tracers want the
 * probes of a name (SDT probes, symbols/sdt.h). The program computes the
 * arguments of these probes only while it is not 0. It is counted up by one,
 * and down by one afterwards, because other tracers count, too.
 */
#ifndef BREAKPOINTS_SEMAPHORES_H
#define BREAKPOINTS_SEMAPHORES_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"
#include "breakpoints/site.h"
#include "process/space.h"

struct watcher;

struct semaphore {
	addr_t address;
	/* address of a probe that the semaphore is for, where our trap is
	 * planted */
	addr_t site;
	uint16_t raised;  /* the semaphore's value after it was counted up */
	uint32_t watched; /* the watcher's number, or 0 */
};

struct semaphores {
	struct space *space;
	struct watcher *watcher; /* NULL if there is no watcher */
	vec_of(struct semaphore) list;
};

void semaphores_init(struct semaphores *semaphores, struct space *space,
		     struct watcher *watcher);
/* Frees the records of the semaphores. Writes nothing to the tracee. */
void semaphores_release(struct semaphores *semaphores);

/* Counts the semaphore up, unless that was done. A site must be planted at its
 * probe. Returns 0 or -errno. */
must_check int semaphores_raise(struct semaphores *semaphores, addr_t address,
				const struct site *site,
				const struct arch_trap *trap);

/* Counts all semaphores down. A last act may call this. */
void semaphores_lower(struct semaphores *semaphores);

/* For a forked copy of the memory: its semaphores are those of the parent that
 * had been counted up at the fork. */
void semaphores_copy(struct semaphores *child, const struct semaphores *parent,
		     struct space *space, const struct arch_trap *trap);

/* Forgets the semaphores of a module whose memory was unmapped. */
void semaphores_forget(struct semaphores *semaphores, addr_t start, addr_t end);

#endif
