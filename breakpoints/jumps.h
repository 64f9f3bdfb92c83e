/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jumps in place of the traps of sites (arch/jump.h, arch/check.h). Each site
 * begins with a trap. If most of its hits are useless, it is given a jump to a
 * check, which lets threads pass that need not stop. This header also tells
 * where a thread would be whose pc is in a jump, a springboard or a check.
 *
 * The bytes change while threads run, and xtrace may be killed at any moment:
 * the slots, the handler's table and the watcher's row are written before.
 */
#ifndef BREAKPOINTS_JUMPS_H
#define BREAKPOINTS_JUMPS_H

#include "arch/check.h"
#include "breakpoints/sites.h"

/* The most useless traps at the boundaries of a site's jump. After one more,
 * the site becomes a trap again. */
#define JUMP_INNER_MOST 4u

/* What is known of a site that has a jump, or has had one. */
struct jumping {
	struct jump jump;
	struct check check;
	addr_t check_at;
	/* A second copy of the window's instructions, for threads that have
	 * stopped at the site. */
	addr_t own_at;
	struct relocated own;
	struct check_condition conditions[CHECK_CONDITIONS];
	size_t count;
	bool begun;   /* some of the jump's bytes may be written */
	bool planted; /* all of the jump's bytes are written */
	bool closed;  /* the springboard is a trap: every thread stops */
	unsigned inner;
};

/* A request for a jump at one site. */
struct jump_request {
	struct site *site;
	struct check_condition conditions[CHECK_CONDITIONS];
	size_t count;
	bool done;
	const char *why; /* the reason if it was not done, a static string */
};

/*
 * Gives the sites their jumps. The thread is one of the space; it is stopped,
 * and makes the system calls for this. A site that cannot have a jump keeps its
 * trap. Returns 0 or -ESRCH.
 */
must_check int jumps_plant(struct sites *sites, struct jump_request *requests,
			   size_t count, struct thread *thread);

/* Turns the jump of the site into a trap again. thread is a stopped thread of
 * the space, or NULL. */
void jumps_lift(struct sites *sites, struct site *site, struct thread *thread);
/* Turns all jumps into traps again. Allocates nothing: a last act may call
 * it. */
void jumps_lift_all(struct sites *sites);
/* Turns a jump into a trap again if its site is at the address, or if its
 * window contains the address or ends there. */
void jumps_make_way(struct sites *sites, addr_t address, struct thread *thread);

/* Changes the number of a condition. Returns 0, -ESRCH, or why it could not be
 * written. */
must_check int jumps_set_number(struct sites *sites, const struct site *site,
				unsigned condition, uint64_t number);
/* Closes the jump of the site, or opens it again if `closed` is false. While it
 * is closed, every thread that reaches the site stops; otherwise the check
 * decides which threads stop. */
must_check int jumps_close(struct sites *sites, struct site *site, bool closed);

/*
 * The site whose check or springboard has its trap at this address, at which a
 * thread has trapped; or NULL. The thread's registers are those at the site.
 */
struct site *jumps_stopped_at(const struct sites *sites, addr_t trap);
/*
 * The site whose jump has a boundary with its trap at this address, at which a
 * thread has trapped; or NULL. *ret_pc: the boundary's address, and *ret_slot:
 * where its displaced instruction is.
 */
struct site *jumps_inner_at(const struct sites *sites, addr_t trap,
			    addr_t *ret_pc, addr_t *ret_slot);

/*
 * If the stopped thread is in a springboard, in a check, or in displaced
 * instructions of a jump: moves the thread to where it would be without us, and
 * returns true. *ret_site is the site if the thread has stopped there and none
 * of the window's instructions was executed yet, else NULL. Returns false if
 * the thread is elsewhere.
 */
bool jumps_unslot(struct sites *sites, struct thread *thread,
		  struct site **ret_site);

/* The site whose displaced instructions for stopped threads contain this pc; or
 * NULL. */
struct site *jumps_own_at(const struct sites *sites, addr_t pc);
/* Is this pc in the middle of a displaced call, in a site's displaced
 * instructions for stopped threads? */
bool jumps_unfinished(const struct sites *sites, addr_t pc);

/* For a fork's child, which has a copy of the bytes: turns the jumps of its
 * sites into traps. */
void jumps_copy(struct sites *child, const struct sites *parent);
/* Forgets the jump of a site whose text was unmapped. */
void jumps_forget(struct sites *sites, struct site *site);
void jumps_release(struct sites *sites);

/* Does the site have a jump, or a part of one? */
static inline bool
jumps_begun(const struct site *site)
{
	return site->jumping && site->jumping->begun;
}

#endif
