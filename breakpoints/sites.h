/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All sites of a space, and the slots beside them. A fork copies them, an exec
 * forgets them, a vfork child uses its parent's.
 */
#ifndef BREAKPOINTS_SITES_H
#define BREAKPOINTS_SITES_H

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
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
	struct arena records; /* of all struct site */
	struct site *idle;    /* records to use again, linked by user */
	struct slots slots;
	struct survive survive;
	struct watcher *watcher; /* or NULL */
	struct relocate_limits limits;
	size_t planted;
	bool suspended;
};

/* Hangs its veil on space. watcher may be NULL. */
void sites_init(struct sites *sites, struct table *table, struct space *space,
		struct watcher *watcher);
/* Frees the records; touches no memory of the tracee. */
void sites_release(struct sites *sites);
/* child: the copy of parent's memory that fork made, traps and all. */
void sites_copy(struct sites *child, const struct sites *parent,
		struct space *space);

/* The same, where the parent may have changed since the fork: what stands in
 * the child's memory counts, and a trap that is in no record is lifted. */
void sites_reread(struct sites *sites);

struct site *sites_find(const struct sites *sites, addr_t address);

/* One address to be owned; filled in by sites_plant(). */
struct planting {
	addr_t address;
	struct site *site; /* NULL: refused */
	const char *why;   /* static text where it was refused */
	bool now;	   /* its trap is new */
	void *user;	   /* the caller's */
};

/*
 * Plants all of them for owner: text is read and written by the page. Those
 * that cannot be are left with site NULL. thread: a stopped one of the space,
 * through which room for slots is mapped, or NULL: then slots are made when
 * they are hit first. 0, or -ESRCH.
 */
must_check int sites_plant(struct sites *sites, struct planting *plantings,
			   size_t count, enum site_owner owner,
			   struct thread *thread);

/* One address. -ENOTSUP with a reason where it is refused. */
must_check int sites_plant_one(struct sites *sites, addr_t address,
			       enum site_owner owner, struct thread *thread,
			       struct site **ret_site, const char **ret_why);

/*
 * Makes the slot of a site that has none, through the stopped thread: 0,
 * -ESRCH, or why there cannot be one (also in *ret_why).
 */
must_check int sites_make_slot(struct sites *sites, struct site *site,
			       struct thread *thread, const char **ret_why);

/* The owner wants it again, or no more; without owners the byte goes back. */
must_check int sites_own(struct sites *sites, struct site *site,
			 enum site_owner owner);
void sites_disown(struct sites *sites, struct site *site,
		  enum site_owner owner);

/*
 * Room for the slots of all these, and for the handler that outlives us,
 * through the stopped thread: what sites_plant() does first when it is given a
 * thread. By itself it lets the thread run on before the first trap. 0, or
 * why not all will have slots yet; -EAGAIN where it takes a thread, and there
 * is none (NULL).
 */
must_check int sites_reserve(struct sites *sites,
			     const struct planting *plantings, size_t count,
			     struct thread *thread);

/* Every byte back, where it is still ours; records stay. */
void sites_lift_all(struct sites *sites);
/* The same for a while, and its end: what is owned then is planted again. */
void sites_suspend(struct sites *sites);
void sites_resume(struct sites *sites);
/* The memory [start, end) is not what it was: forget without writing. The
 * users of what is forgotten are given to dropped. */
void sites_forget(struct sites *sites, addr_t start, addr_t end,
		  void (*dropped)(void *context, struct site *site),
		  void *context);

#endif
