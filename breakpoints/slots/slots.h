/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Slots are where displaced instructions run: in regions that we map into the
 * tracee within reach of the text they belong to. A slot is used again for
 * another site only when the text that it belonged to was unmapped, so a thread
 * that is in one is always safe.
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
	uint8_t *before; /* of slack: what stood there; else NULL */
};

#define SLOT_ALIGNMENT 16u
#define SLOT_SIZES (SLOT_ROOM / SLOT_ALIGNMENT)

/* Slots of one size that nothing refers to any more; those before first are
 * taken. */
struct idle_slots {
	vec_of(addr_t) list;
	size_t first;
};

struct slots {
	uint64_t reach; /* struct arch's */
	vec_of(struct region) regions;
	struct idle_slots idle[SLOT_SIZES];
	addr_t scratch; /* STUB_ROOM bytes of text nobody runs, 0 if unknown */
	/* Where in the tracee the next region is noted before it is mapped
	 * (struct inside_region), 0: nowhere. */
	addr_t planned;
	/*
	 * The room between the end of a module's text and the end of its page:
	 * where nothing can be mapped (a seccomp policy), slots go there.
	 */
	vec_of(struct region) slack;
	bool slack_taken;
	/* What was mapped when that was asked last, should more be mapped. */
	struct maps survey;
	bool surveyed;
};

/*
 * Room for size bytes within reach of near, from a region there is; 0 if
 * there is none.
 */
addr_t slots_take(struct slots *slots, addr_t near, uint64_t size);

/* Of the size bytes at slot, taken last, only the first used are needed. */
void slots_trim(struct slots *slots, addr_t slot, uint64_t size, uint64_t used);

/* The text that the slot belonged to is unmapped: it may be used again. */
void slots_give(struct slots *slots, addr_t slot, uint64_t size);
/* One that was given, for so many bytes, within reach of near; 0 if there is
 * none. */
addr_t slots_take_given(struct slots *slots, addr_t near, uint64_t size);

/* How many bytes slots_take() could still give within reach of near. */
uint64_t slots_free(const struct slots *slots, addr_t near);

/*
 * Maps a region with at least size bytes free within reach of near, by a call
 * that thread makes for us: 0, -ESRCH, -EPERM (seccomp), -ENOSPC (nothing free
 * within reach), -ENOENT (no scratch known).
 */
must_check int slots_map(struct slots *slots, struct table *table,
			 struct thread *thread, addr_t near, uint64_t size);

/*
 * Reads what is mapped in the process, which takes a millisecond where that is
 * much: before a thread is held, if possible. Until it is dropped, room is
 * looked for in what was read then; what was mapped there meanwhile is not
 * overwritten.
 */
void slots_survey(struct slots *slots, pid_t pid);
void slots_drop_survey(struct slots *slots);

/*
 * A gap of size bytes within reach of near that nothing was mapped in when that
 * was asked last, and that the caller is about to map: 0, -ESRCH, -ENOSPC.
 * Whether to look again, for it was not free, says slots_settle(), which asks
 * for no memory: what was mapped is not yet known to the home.
 */
must_check int slots_gap(struct slots *slots, pid_t pid, addr_t near,
			 uint64_t size, addr_t *ret_gap);
must_check bool slots_settle(struct slots *slots, int result);

/* A module's slack, should it be needed. */
void slots_offer_slack(struct slots *slots, addr_t start, uint64_t size);
/* The module is gone, its slack with it. */
void slots_forget_slack(struct slots *slots, addr_t start, addr_t end);
/* Takes the slack that is offered: 0, or -ENOSPC where that was done before. */
must_check int slots_take_slack(struct slots *slots, struct space *space);
/* No thread is in a slot: what stood in the slack stands there again. */
void slots_restore_slack(struct slots *slots, struct space *space);

void slots_release(struct slots *slots);
void slots_copy(struct slots *to, const struct slots *from);

/* Is address in one of the regions? */
bool slots_cover(const struct slots *slots, addr_t address);

#endif
