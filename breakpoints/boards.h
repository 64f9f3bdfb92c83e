/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Springboards (arch/jump.h): where they may be, and where they are. A page is
 * mapped into the tracee only if a springboard is put there. A springboard
 * stays as long as its page, because a thread may be about to execute it.
 */
#ifndef BREAKPOINTS_BOARDS_H
#define BREAKPOINTS_BOARDS_H

#include "arch/jump.h"
#include "base/addr.h"
#include "base/vec.h"
#include "breakpoints/slots/slots.h"
#include "process/maps.h"

struct boards {
	vec_of(addr_t) pages; /* pages that are mapped for springboards */
	vec_of(addr_t) taken; /* addresses of the springboards, sorted */
};

/* Where a springboard of a site may be, the best rooms first. */
struct board_rooms {
	vec_of(struct jump_room) list;
};

void boards_release(struct boards *boards);
void boards_copy(struct boards *to, const struct boards *from);

/* length: the length of a springboard, in bytes. maps: the mappings of the
 * process. */
void boards_rooms(const struct boards *boards, const struct maps *maps,
		  addr_t site, unsigned length, struct board_rooms *ret_rooms);

/*
 * Takes a place that is in one of these rooms. If its pages must be mapped, the
 * thread, which is stopped, makes the system call. Returns like slots_map_at().
 */
must_check int boards_take(struct boards *boards, struct slots *slots,
			   struct table *table, struct thread *thread,
			   struct jump_room place);

#endif
