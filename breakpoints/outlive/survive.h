/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What protects the tracee if we are killed: a SIGTRAP handler in the tracee
 * sends a thread from a trap to its slot without us
 * (breakpoints/outlive/inside). The handler area is the memory with the
 * handler, its table and the first slots. A later xtrace finds a handler area
 * that was left behind, and takes it over.
 */
#ifndef BREAKPOINTS_OUTLIVE_SURVIVE_H
#define BREAKPOINTS_OUTLIVE_SURVIVE_H

#include "breakpoints/outlive/inside/inside.h"
#include "breakpoints/slots/slots.h"
#include "process/space.h"
#include "process/thread.h"

struct survive {
	addr_t code;			  /* 0: there is no handler area */
	const struct inside_code *inside; /* the handler in it, if there is
					     one */
	addr_t data;
	uint64_t code_size;
	struct inside_header header; /* a copy of the header in the tracee */
	/* a copy of the entries in the tracee: header.mask + 1 of them */
	struct inside_entry *entries;
	uint64_t count;
	vec_of(uint64_t) changed; /* indexes of entries that must be written */
	/* the tracee may never make the calls that the handler area needs */
	bool refused;
	bool ignored; /* SIGTRAP was ignored before the first trap */
};

void survive_release(struct survive *survive);
/* Fills in `to` for a forked copy of the memory, which contains the same
 * handler area. */
void survive_copy(struct survive *to, const struct survive *from);

/*
 * Makes a handler area within reach of near, by system calls of thread, and
 * adds its slots to slots. Returns like slots_map().
 */
must_check int survive_begin(struct survive *survive, struct slots *slots,
			     struct table *table, struct thread *thread,
			     addr_t near);

/* Takes over a handler area that an earlier xtrace left in the space, and
 * removes the traps that it left. False if there is none. */
bool survive_adopt(struct survive *survive, struct slots *slots,
		   struct space *space);

/* For a forked copy of the memory: reads the handler area from the copy, which
 * is from the time of the fork. Regions that were added later are removed from
 * slots. */
void survive_reread(struct survive *survive, struct slots *slots,
		    struct space *space);

/* Makes room for count more sites. If the table must grow, thread makes the
 * calls. */
must_check int survive_room(struct survive *survive, struct table *table,
			    struct thread *thread, uint64_t count);
/* Notes the slot and the original byte of a site. survive_flush() writes them
 * to the table; it must be called before the trap is planted. */
void survive_note(struct survive *survive, struct inside_entry entry);
/* Removes a site whose text was unmapped from the table at once. */
void survive_forget(struct survive *survive, struct space *space,
		    addr_t address);
/* The slot of the address in the table, or 0. */
addr_t survive_slot(const struct survive *survive, addr_t address);
/* The address whose slot begins at slot, or 0. This also finds entries of an
 * earlier xtrace, for which we have no site. */
addr_t survive_site(const struct survive *survive, addr_t slot);
must_check int survive_flush(struct survive *survive, struct space *space);
/* From now on, `slots` notes in the handler area which region it will map
 * next. */
void survive_plans(const struct survive *survive, struct slots *slots);

/* Writes the list of regions, after `slots` has mapped one more. */
must_check int survive_regions(struct survive *survive,
			       const struct slots *slots, struct space *space);

/* The address for the note of this thread's nudge (process/nudge.h), or 0. */
addr_t survive_nudge_note(const struct survive *survive, pid_t tid);

/*
 * survive_disarm() and survive_end() are called when xtrace leaves the program.
 * They make system calls with a thread whose pc is in no region; scratch is not
 * in the handler area. survive_disarm() sets the program's own action again if
 * ours is still set. survive_end(), when no thread has its pc in the handler
 * area or a slot, unmaps the handler area and all regions. newborn: see
 * unmap_regions(). -errno: what is still mapped stays and does no harm.
 */
must_check int survive_disarm(struct survive *survive, struct table *table,
			      struct thread *thread, addr_t scratch);
must_check int survive_end(struct survive *survive, const struct slots *slots,
			   struct table *table, struct thread *thread,
			   addr_t scratch, bool newborn);

#endif
