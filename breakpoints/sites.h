/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All sites of a space, and their slots. A fork copies them, an exec ends them,
 * and a vfork child uses its parent's.
 */
#ifndef BREAKPOINTS_SITES_H
#define BREAKPOINTS_SITES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "arch/meter.h"
#include "breakpoints/boards.h"
#include "breakpoints/pages.h"
#include "breakpoints/site.h"
#include "breakpoints/slots/slots.h"
#include "breakpoints/outlive/survive.h"
#include "breakpoints/outlive/watcher.h"
#include "process/space.h"
#include "process/thread.h"

struct sites {
	struct veil veil;
	struct space *space;
	struct table *table;
	struct pages pages;
	struct arena records; /* memory of all struct site */
	struct site *idle;    /* records that are free, linked by their user */
	struct slots slots;
	struct survive survive;
	struct watcher *watcher; /* NULL if there is no watcher */
	struct relocate_limits limits;
	size_t planted;
	bool suspended;
	/* for breakpoints/jumps */
	vec_of(struct site *) jumped; /* sites with site->jumping */
	struct map jump_traps; /* traps of jumps, except at sites -> site */
	struct boards boards;
	/* What a meter had written for a thread when jumps_unslot() moved this
	 * thread out of the meter: of the last such thread. */
	struct jump_undone {
		struct site *site; /* NULL: the thread was not in a meter */
		enum meter_written written;
		bool own; /* the thread was in the meter's own code */
	} undone;
	/* how many jumps were lost because their text was unmapped */
	unsigned forgotten;
};

/* Installs the veil in space. watcher may be NULL. */
void sites_init(struct sites *sites, struct table *table, struct space *space,
		struct watcher *watcher);
/* Frees the records of the sites; the tracee's memory is not changed. */
void sites_release(struct sites *sites);
/* child: a fork's copy of parent's memory, including the traps. */
void sites_copy(struct sites *child, const struct sites *parent,
		struct space *space);

/* After sites_copy(), if the parent may have changed since the fork: looks at
 * the child's memory, plants the traps that the child lacks, and removes those
 * without an owner or without a record. */
void sites_reread(struct sites *sites);

/* True if the space is as without xtrace: no site was ever added, and there is
 * no handler. */
bool sites_untouched(const struct sites *sites);

struct site *sites_find(const struct sites *sites, addr_t address);

/* One address to plant; sites_plant() fills in the rest. */
struct planting {
	addr_t address;
	struct site *site; /* the site at the address; NULL: not possible */
	/* the reason if it was not possible, a static string */
	const char *why;
	bool now;   /* the trap is new */
	void *user; /* for the caller's use */
};

/*
 * Plants all plantings for owner. Text is read and written by page. If an
 * address cannot be planted, its site is NULL. thread: a stopped thread of the
 * space that maps memory for slots; or NULL, then slots are made at the first
 * hit. Returns 0, or -ESRCH.
 */
must_check int sites_plant(struct sites *sites, struct planting *plantings,
			   size_t count, enum site_owner owner,
			   struct thread *thread);

/* Plants one address. -ENOTSUP with a reason if it is not possible. */
must_check int sites_plant_one(struct sites *sites, addr_t address,
			       enum site_owner owner, struct thread *thread,
			       struct site **ret_site, const char **ret_why);

/*
 * Makes the slot of a site that has none. The thread is stopped, and can make
 * the system calls for it. Returns 0, -ESRCH, or an error (with *ret_why).
 */
must_check int sites_make_slot(struct sites *sites, struct site *site,
			       struct thread *thread, const char **ret_why);

/* sites_own(): the owner needs the site, which gets its trap; if all traps are
 * suspended, sites_resume() plants it. sites_disown(): the owner does not need
 * the site any more. A site without owners loses its trap. */
must_check int sites_own(struct sites *sites, struct site *site,
			 enum site_owner owner);
void sites_disown(struct sites *sites, struct site *site,
		  enum site_owner owner);

/*
 * Maps memory for the slots of all plantings, and the handler area, with the
 * stopped thread. sites_plant() does this first if it has a thread. A separate
 * call allows the thread to run on before the first trap is planted. Returns 0,
 * or the reason why not all will have slots yet; -EAGAIN if a thread is needed
 * and thread is NULL.
 */
must_check int sites_reserve(struct sites *sites,
			     const struct planting *plantings, size_t count,
			     struct thread *thread);

/* Restores every byte that is still our trap. The records stay. */
void sites_lift_all(struct sites *sites);
/* sites_suspend() removes all traps for a while; sites_resume() plants the
 * sites with owners again. */
void sites_suspend(struct sites *sites);
void sites_resume(struct sites *sites);
/* The memory [start, end) was unmapped or replaced: drops its sites without
 * writing. dropped gets the user of each. */
void sites_forget(struct sites *sites, addr_t start, addr_t end,
		  void (*dropped)(void *context, struct site *site),
		  void *context);

#endif
