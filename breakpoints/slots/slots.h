/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots are where displaced instructions run. They are in regions that we map
 * into the tracee, within reach of the text they belong to. A slot is used
 * again for another site only after its text was unmapped, so a thread that is
 * in a slot is always safe.
 */
#ifndef BREAKPOINTS_SLOTS_SLOTS_H
#define BREAKPOINTS_SLOTS_SLOTS_H

#include "arch/relocated.h"
#include "arch/stub.h"
#include "base/addr.h"
#include "base/vec.h"
#include "process/maps.h"
#include "process/space.h"
#include "process/thread.h"

struct region {
	addr_t start;
	uint64_t size;
	uint64_t used;
	/* the original bytes if the region is slack, else NULL */
	uint8_t *before;
};

#define SLOT_ALIGNMENT 16u
#define SLOT_SIZES (SLOT_ROOM / SLOT_ALIGNMENT)

/* Unused slots of one size. The slots before index first were taken again. */
struct idle_slots {
	vec_of(addr_t) list;
	size_t first;
};

struct slots {
	uint64_t reach; /* how far from its site a slot may be: struct arch */
	uint64_t top;	/* the end of the program's addresses: struct arch */
	vec_of(struct region) regions;
	struct idle_slots idle[SLOT_SIZES];
	addr_t scratch; /* STUB_ROOM bytes of unused text, 0 if unknown */
	/* Address in the tracee where the next region is noted before it is
	 * mapped (struct inside_region); 0: none. */
	addr_t planned;
	/*
	 * The space between the end of a module's text and the end of its page.
	 * If nothing can be mapped (a seccomp policy), slots are put there.
	 */
	vec_of(struct region) slack;
	bool slack_taken;
	/* The mappings at the last survey, plus our later ones. */
	struct maps survey;
	bool surveyed;
	/* How often the kernel has refused the gap for the mapping that is
	 * being made. */
	unsigned refusals;
};

/*
 * Room for size bytes within reach of near, in an existing region; 0 if there
 * is none.
 */
addr_t slots_take(struct slots *slots, addr_t near, uint64_t size);

/* Gives back the end of the room that was taken last, which is `size` bytes at
 * `slot`: only its first `used` bytes are needed. */
void slots_trim(struct slots *slots, addr_t slot, uint64_t size, uint64_t used);

/* Gives back a slot whose text was unmapped: it may be used again. */
void slots_give(struct slots *slots, addr_t slot, uint64_t size);
/* A slot of this size that was given back, within reach of near; 0 if there is
 * none. */
addr_t slots_take_given(struct slots *slots, addr_t near, uint64_t size);

/* How many bytes slots_take() can still find within reach of near. */
uint64_t slots_free(const struct slots *slots, addr_t near);

/*
 * Maps a region with at least size free bytes within reach of near, by an
 * injected call of thread. Returns 0, -ESRCH, -EPERM (seccomp), -ENOSPC
 * (nothing is free within reach, or the handler area can name no more regions),
 * -EEXIST (the program has mapped memory there meanwhile, each time), or
 * -ENOENT (no scratch memory is known).
 */
must_check int slots_map(struct slots *slots, struct table *table,
			 struct thread *thread, addr_t near, uint64_t size);

/*
 * Maps a region at this address, whole pages that are free. Nothing in it is
 * given by slots_take(): the caller decides. Returns like slots_map(). -EEXIST:
 * the pages are not free.
 */
must_check int slots_map_at(struct slots *slots, struct table *table,
			    struct thread *thread, addr_t start, uint64_t size);

/*
 * Maps a region for data within reach of near: writable, and not executable.
 * Returns like slots_map_at().
 */
must_check int slots_map_data(struct slots *slots, struct table *table,
			      struct thread *thread, addr_t near, uint64_t size,
			      addr_t *ret_start);

/*
 * Reads the mappings of the process, which takes a millisecond if there are
 * many. If possible, call it before a thread is stopped. Until
 * slots_drop_survey(), free space is searched in this survey. Mappings that
 * were made meanwhile are not overwritten.
 */
void slots_survey(struct slots *slots, pid_t pid);
void slots_drop_survey(struct slots *slots);

/*
 * slots_gap() finds a gap of size bytes within reach of near that was free at
 * the last survey. The caller maps it and calls slots_refused() with the result
 * (-EEXIST: the gap was not free), which is true if the caller should try
 * again: then slots_gap() finds a gap that is farther from other mappings.
 * slots_refused() allocates no memory, because the handler area does not name
 * the new mapping yet. slots_gap() returns 0, -ESRCH, -ENOSPC.
 */
must_check int slots_gap(struct slots *slots, pid_t pid, addr_t near,
			 uint64_t size, addr_t *ret_gap);
must_check bool slots_refused(struct slots *slots, int result);

/* Offers the slack of a module, in case it is needed. */
void slots_offer_slack(struct slots *slots, addr_t start, uint64_t size);
/* Forgets the slack of a module that was unmapped. */
void slots_forget_slack(struct slots *slots, addr_t start, addr_t end);
/* Uses the slack that was offered: 0, or -ENOSPC if that was done before. */
must_check int slots_take_slack(struct slots *slots, struct space *space);
/* Restores the original bytes of the slack. No thread may be in a slot. */
void slots_restore_slack(struct slots *slots, struct space *space);

void slots_release(struct slots *slots);
void slots_copy(struct slots *to, const struct slots *from);

/* True if address is in one of the regions. */
bool slots_cover(const struct slots *slots, addr_t address);

#endif
