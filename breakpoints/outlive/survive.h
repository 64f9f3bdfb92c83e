/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold when we are killed: in the tracee a SIGTRAP handler sends a
 * thread from a trap to its slot without us (breakpoints/inside). The home is
 * where the handler, its table and the first slots lie. A later xtrace finds
 * a home that was left and moves in.
 */
#ifndef BREAKPOINTS_OUTLIVE_SURVIVE_H
#define BREAKPOINTS_OUTLIVE_SURVIVE_H

#include "breakpoints/outlive/inside/inside.h"
#include "breakpoints/slots/slots.h"
#include "process/space.h"
#include "process/thread.h"

struct survive {
	addr_t code; /* 0: no home */
	addr_t data;
	uint64_t code_size;
	struct inside_header header;  /* as it stands in the tracee */
	struct inside_entry *entries; /* likewise; header.mask + 1 of them */
	uint64_t count;
	vec_of(uint64_t) changed; /* places of entries not yet written */
	bool refused; /* the tracee would not let us: not asked again */
	bool ignored; /* SIGTRAP, before the first trap reset that */
};

void survive_release(struct survive *survive);
/* The same home, in a forked copy of the memory. */
void survive_copy(struct survive *to, const struct survive *from);

/*
 * Makes a home within reach of near, through thread, and gives its slots to
 * slots. What slots_map() answers.
 */
must_check int survive_begin(struct survive *survive, struct slots *slots,
			     struct table *table, struct thread *thread,
			     addr_t near);

/* A home that an earlier xtrace left in the space: true if there was one; its
 * traps that still stand are lifted. */
bool survive_adopt(struct survive *survive, struct slots *slots,
		   struct space *space);

/* The home of a forked copy as it stands in its memory, which is from the time
 * of the fork; regions that came later are taken out of slots. */
void survive_reread(struct survive *survive, struct slots *slots,
		    struct space *space);

/* Room for count more sites, through thread if the table must grow. */
must_check int survive_room(struct survive *survive, struct table *table,
			    struct thread *thread, uint64_t count);
/* A site has this slot and this byte: the table will have them after
 * survive_flush(), which comes before the trap. */
void survive_note(struct survive *survive, struct inside_entry entry);
/* The site's text is unmapped: out of the table at once. */
void survive_forget(struct survive *survive, struct space *space,
		    addr_t address);
/* The slot that the table has for the address, 0 if none. */
addr_t survive_slot(const struct survive *survive, addr_t address);
/* And the address whose slot begins there, 0 if none: also of an xtrace before
 * us, which had sites where we have none. */
addr_t survive_site(const struct survive *survive, addr_t slot);
must_check int survive_flush(struct survive *survive, struct space *space);
/* From now on slots notes in the home which region it is about to map. */
void survive_plans(const struct survive *survive, struct slots *slots);

/* The slots have a region more. */
must_check int survive_regions(struct survive *survive,
			       const struct slots *slots, struct space *space);

/* Where a nudge of this thread is noted (process/nudge.h), or 0. */
addr_t survive_nudge_note(const struct survive *survive, pid_t tid);

/*
 * Leaving, by a thread that is in none of the regions; scratch is not in the
 * home. First the program's own action back, where ours still stands; then,
 * when no thread has its pc in the home or a slot, the home and all regions
 * unmapped. -errno: they stay, and are harmless.
 */
must_check int survive_disarm(struct survive *survive, struct table *table,
			      struct thread *thread, addr_t scratch);
must_check int survive_end(struct survive *survive, struct slots *slots,
			   struct table *table, struct thread *thread,
			   addr_t scratch);

#endif
